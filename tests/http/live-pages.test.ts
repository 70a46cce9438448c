import { expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { addressesIn } from '~/site-map';
import { site, withSite } from './site';
import { Visitor } from './visitor';

withSite({ OFFLINE_MODE: 'false' });

const OPEN = addressesIn('live').filter(({ kind, mode }) => kind === 'static' && mode === 'live');

const textOf = (html: string) =>
  html
    .replace(/^[^]*<main|<\/main>[^]*$/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', '’');

it.each(LANGUAGES)('open pages of the live half are whole and linked in %s', async (language) => {
  const visitor = new Visitor(site.origin, { 'Accept-Language': language });
  const read = async (path: string) => (await visitor.get(path)).text();
  const [sitemap, home] = [await read('/sitemap.xml'), await read('/')];
  expect(OPEN.map(({ path }) => path)).toEqual(['/how-it-works', '/documents', '/faq']);
  for (const { path } of OPEN) {
    const html = await read(path);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).not.toContain('noindex');
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/);
    expect(sitemap).toContain(`${path}</loc>`);
    expect(home).toContain(`href="${path}"`);
    const text = textOf(html);
    expect(text).not.toMatch(/\{\{|undefined|NaN/);
    const { documents, howItWorks } = bundles[language].placeholders;
    for (const closed of [documents, howItWorks]) expect(text).not.toContain(closed.text);
  }
  expect(textOf(await read('/faq'))).toMatch(/30\s(jours|days|Tage)[^]*10\s(ans|years|Jahre)/);
  const page = textOf(await read('/documents'));
  expect(page).toMatch(/(?=[^]*(portrait|Porträt))(?=[^]*23\.?\snov(embre|ember)?\.?\s2026)/i);
});

/** The live half has a style sheet beside the site's, the desk one alone; a header is shown once its last part is there. */
it.each([
  ['/faq', 1],
  ['/auth', 2],
  ['/application/unknown/overview', 2],
  ['/invented', 1],
  ['/crm/invented', 1],
])('%s loads %i style sheets, and shows its header', async (path, count) => {
  const html = await (await new Visitor(site.origin).get(path)).text();
  expect(html.match(/rel="stylesheet"/g)).toHaveLength(count);
  expect(html).toMatch(/<header[^]* data-last[^]*<\/header>/);
  expect(html.includes('<a href="/" class="button">')).toBe(path.endsWith('/invented'));
});
