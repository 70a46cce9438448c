import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { addressesIn } from '~/site-map';
import { site, withSite } from './site';
import { Visitor } from './visitor';

withSite({ OFFLINE_MODE: 'false' });

/** What is closed offline, and a page for everybody where the service can be ordered. */
const OPEN = addressesIn('live').filter(({ kind, mode }) => kind === 'static' && mode === 'live');

const textOf = (html: string) =>
  html
    .replace(/^[^]*<main|<\/main>[^]*$/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', '’');

describe.each(LANGUAGES)('where the service can be ordered, in %s', (language) => {
  const get = (path: string) => new Visitor(site.origin, { 'Accept-Language': language }).get(path);
  const read = async (path: string) => (await get(path)).text();

  it('the questions, the way and the documents have pages of their own, linked and in the sitemap', async () => {
    const [sitemap, home] = [await read('/sitemap.xml'), await read('/')];
    expect(OPEN.map(({ path }) => path)).toEqual(['/how-it-works', '/documents', '/faq']);
    for (const { path } of OPEN) {
      const response = await get(path);
      const html = await response.text();
      expect([path, response.status]).toEqual([path, 200]);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).not.toContain('noindex');
      expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/);
      expect(sitemap).toContain(`${path}</loc>`);
      expect(home).toContain(`href="${path}"`);
      // No value is missing, no placeholder is left, and no section is closed.
      const text = textOf(html);
      expect(text).not.toMatch(/\{\{|undefined|NaN/);
      const { documents, howItWorks } = bundles[language].placeholders;
      for (const closed of [documents, howItWorks]) expect(text).not.toContain(closed.text);
    }
  });

  it('the cookies are a table with a row each', async () => {
    const rows = [...(await read('/privacy')).matchAll(/<th scope="row"[^>]*>([\w-]+)</g)];
    expect(rows.map(([, name]) => name)).toEqual(expect.arrayContaining(['wizard', 'receipt']));
  });

  it('the questions say how long things are kept, from the settings', async () => {
    const text = textOf(await read('/faq'));
    for (const time of [/30\s(jours|days|Tage)/, /10\s(ans|years|Jahre)/]) {
      expect(text).toMatch(time);
    }
  });

  it('the documents and the guide ask for a portrait, with the day on which that was checked', async () => {
    const page = textOf(await read('/documents'));
    expect(page).toMatch(/portrait|Porträt/i);
    expect(page).not.toMatch(/no portrait|kein Porträt|aucune photo d’identité/i);
    expect(page).toMatch(/23\.?\snov(embre|ember)?\.?\s2026/i);
    const guide = textOf(await read('/application-guide?step=2'));
    expect(guide).toMatch(/photo récente de vous|recent photo of yourself|neues Foto von Ihnen/i);
    expect(guide).toMatch(/2026/);
  });
});

/** The live half has a style sheet of its own beside the site's. */
it.each([
  ['/faq', 1],
  ['/auth', 2],
  ['/application/unknown/overview', 2],
  ['/invented', 1],
  ['/crm/invented', 2],
])('%s loads %i style sheets', async (path, count) => {
  const html = await (await new Visitor(site.origin).get(path)).text();
  expect(html.match(/rel="stylesheet"/g)).toHaveLength(count);
});
