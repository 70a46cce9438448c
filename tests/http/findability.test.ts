import { describe, expect, it } from 'vitest';

import { LANGUAGES } from '~/i18n/languages';
import { siteConfig } from '../apps';
import { startInProcess as startSite } from '../site-in-process';
import { JOURNEY_LANGUAGES } from '../rounds';
import { INDEXED_PATHS, PAGES } from '../site-map';
import { endsWithTest, site, withSite } from './site';
import { Visitor } from './visitor';

const ORIGIN = 'http://esta.example';
withSite({ PUBLIC_ORIGIN: ORIGIN });

const get = (path: string, language = 'fr') =>
  new Visitor(site.origin, { 'Accept-Language': language }).get(path);
const textOf = async (path: string, language?: string) => (await get(path, language)).text();
const links = (html: string, rel: string) =>
  [...html.matchAll(/<link [^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(`rel="${rel}"`))
    .map((tag) => ({
      language: /hrefLang="([^"]*)"/i.exec(tag)?.[1],
      href: /href="([^"]*)"/.exec(tag.replace(/hrefLang="[^"]*"/i, ''))?.[1],
    }));
const addressOf = (path: string, language: string) =>
  `${ORIGIN}${path}${language === 'fr' ? '' : `?lng=${language}`}`;

describe.each(JOURNEY_LANGUAGES)('the pages of the sitemap in %s', (language) => {
  it.each(INDEXED_PATHS)('%s names its address and its other languages', async (path) => {
    const html = await textOf(path, language);
    expect(links(html, 'canonical')).toEqual([
      { language: undefined, href: addressOf(path, language) },
    ]);
    expect(links(html, 'alternate')).toEqual([
      ...LANGUAGES.map((code) => ({ language: code, href: addressOf(path, code) })),
      { language: 'x-default', href: addressOf(path, 'fr') },
    ]);
    expect(html).not.toContain('name="robots"');
    expect(html).toContain(`<meta property="og:url" content="${addressOf(path, language)}"/>`);
    expect(html).toContain(`content="${ORIGIN}/card-${language}.png"`);
  });
});

it('a view of a page has the address of the page', async () => {
  for (const view of ['/contact?tab=offices', '/timeline?date=2099-01-01', '/?utm_source=x']) {
    const [path = ''] = view.split('?');
    expect(links(await textOf(view), 'canonical')[0]?.href).toBe(ORIGIN + path);
  }
});

it('what is no page for a search says noindex, and is not in the sitemap', async () => {
  const sitemap = await textOf('/sitemap.xml');
  const listed = new Set<string>(INDEXED_PATHS);
  const others = PAGES.map(([path]) => path).filter(
    (path) => !listed.has(path.split('?')[0] ?? ''),
  );
  expect(others.length).toBeGreaterThan(10);
  for (const path of [...others, '/nowhere', '/eligibility/none']) {
    const html = await textOf(path);
    const isHidden = html.includes('<meta name="robots" content="noindex"/>');
    expect([path, links(html, 'canonical'), isHidden]).toEqual([path, [], true]);
    expect(sitemap).not.toContain(`<loc>${ORIGIN}${path}<`);
  }
  expect(links(await textOf('/timeline?date=tomorrow'), 'canonical')).toEqual([]);
});

it('robots are told of the sitemap, which names each page in each language and the others beside it', async () => {
  const robots = await textOf('/robots.txt');
  expect(robots).not.toMatch(/disallow/i);
  expect(robots).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
  const response = await get('/sitemap.xml');
  expect(response.headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
  const xml = await response.text();
  const locations = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
  expect(locations).toEqual(
    INDEXED_PATHS.flatMap((path) => LANGUAGES.map((code) => addressOf(path, code))),
  );
  expect(xml.match(/<xhtml:link rel="alternate" hreflang="x-default"/g)).toHaveLength(
    locations.length,
  );
});

it('a site with languages of its own offers these alone, in its order, and begins with its own', async () => {
  const settings = { languages: ['de', 'en'], team: [{ name: 'A', role: { de: 'B', en: 'B' } }] };
  const own = endsWithTest(await startSite({ PUBLIC_ORIGIN: ORIGIN }, { settings }));
  const visitor = new Visitor(own.origin, { 'Accept-Language': 'fr, *' });
  for (const path of ['/about', '/about?lng=fr', '/about?lng=de']) {
    const html = await (await visitor.get(path)).text();
    expect(html).toContain('<html lang="de">');
    expect(html.match(/(?<=value=")[a-z]{2}(?=" lang)/g)?.join(' ')).toBe('de en de en de en');
    expect(links(html, 'alternate')).toEqual([
      { language: 'de', href: `${ORIGIN}/about` },
      { language: 'en', href: `${ORIGIN}/about?lng=en` },
      { language: 'x-default', href: `${ORIGIN}/about` },
    ]);
  }
  const xml = await (await visitor.get('/sitemap.xml')).text();
  expect(xml).toContain(`<loc>${ORIGIN}/about?lng=en</loc>`);
  expect(xml).not.toMatch(/lng=(fr|de)|hreflang="fr"/);
  expect((await visitor.post('/language', { lng: 'fr' })).status).toBe(400);
});

describe('structured data', () => {
  const entries = async (path: string, language = 'fr') => {
    const html = await textOf(path, language);
    const script = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(html)?.[1] ?? '{}';
    const { '@context': context, '@graph': graph } = JSON.parse(script) as {
      '@context': string;
      '@graph': Record<string, unknown>[];
    };
    expect(context).toBe('https://schema.org');
    return { html, of: (type: string) => graph.find((entry) => entry['@type'] === type) };
  };

  it('of the home page names the company, the site and the questions that stand there', async () => {
    const { html, of } = await entries('/');
    expect(of('Organization')).toMatchObject({ legalName: 'Traversée Voyages SAS' });
    expect(of('WebSite')).toMatchObject({ name: 'Traversée', inLanguage: 'fr' });
    const { mainEntity } = of('FAQPage') as { mainEntity: { name: string }[] };
    expect(mainEntity).toHaveLength(4);
    const page = html.slice(html.indexOf('<main')).replaceAll('&#x27;', "'");
    for (const { name } of mainEntity) expect(page).toContain(name);
  });
});

it('a name with a part of HTML in it ends no script', async () => {
  const own = endsWithTest(await startSite(siteConfig({ siteName: 'A </script> & Co' })));
  const html = await (await new Visitor(own.origin).get('/')).text();
  expect(html).toContain('"name":"A \\u003c/script> & Co"');
  expect(html).not.toContain('A </script>');
});

it('the icons are there', async () => {
  const manifest = JSON.parse(await textOf('/site.webmanifest')) as { icons: { src: string }[] };
  const others = ['/apple-touch-icon.png', ...LANGUAGES.map((code) => `/card-${code}.png`)];
  for (const path of [...manifest.icons.map(({ src }) => src), ...others]) {
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  }
});
