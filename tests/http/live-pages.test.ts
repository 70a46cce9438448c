import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { addressesIn } from '~/site-map';
import { type Site, startSite } from '../production-server';
import { Visitor } from './visitor';

let site: Site;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false' });
});
afterAll(() => site.stop());

/** What is closed offline, and a page for everybody where the service can be ordered. */
const OPEN = addressesIn('live').filter(({ kind, mode }) => kind === 'static' && mode === 'live');

const textOf = (html: string) =>
  html
    .replace(/^[^]*<main|<\/main>[^]*$/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', '’');

describe.each(LANGUAGES)('where the service can be ordered, in %s', (language) => {
  const visitor = () => new Visitor(site.origin, { 'Accept-Language': language });

  it('the questions, the way and the documents have pages of their own', async () => {
    expect(OPEN.map(({ path }) => path)).toEqual(['/how-it-works', '/documents', '/faq']);
    for (const { path } of OPEN) {
      const response = await visitor().get(path);
      const html = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).not.toContain('noindex');
      expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/);
      // No value is missing, no placeholder is left, and no section is closed.
      const text = textOf(html);
      expect(text).not.toMatch(/\{\{|undefined|NaN/);
      const { documents, howItWorks, soon } = bundles[language].placeholders;
      for (const closed of [documents, howItWorks, soon]) expect(text).not.toContain(closed.text);
    }
  });

  it('each of them is in the menu or linked from a page, and in the sitemap', async () => {
    const sitemap = await (await visitor().get('/sitemap.xml')).text();
    const home = await (await visitor().get('/')).text();
    for (const { path } of OPEN) {
      expect(sitemap).toContain(`${path}</loc>`);
      expect(home).toContain(`href="${path}"`);
    }
  });

  it('the documents and the guide ask for a portrait, with the day on which that was checked', async () => {
    const page = textOf(await (await visitor().get('/documents')).text());
    expect(page).toMatch(/portrait|Porträt/i);
    expect(page).not.toMatch(/no portrait|kein Porträt|aucune photo d’identité/i);
    expect(page).toMatch(/23\.?\snov(embre|ember)?\.?\s2026/i);
    const guide = textOf(await (await visitor().get('/application-guide?step=2')).text());
    expect(guide).toMatch(/photo récente de vous|recent photo of yourself|neues Foto von Ihnen/i);
    expect(guide).toMatch(/2026/);
  });

  it('the questions say how long things are kept, from the settings', async () => {
    const html = textOf(await (await visitor().get('/faq')).text());
    expect(html).toMatch(/30\s(jours|days|Tage)/);
    expect(html).toMatch(/10\s(ans|years|Jahre)/);
  });
});
