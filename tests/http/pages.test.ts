import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { addressesIn, matchAddress } from '~/site-map';
import { startInProcess } from '../site-in-process';
import { HYDRATES, INDEXED_PATHS, PAGES } from '../site-map';
import { endsWithTest, site, withSite } from './site';
import { Visitor } from './visitor';

/** Every page of the site map in every language, asked for once; all tests here read these. */
const crawl = new Map<string, { status: number; html: string }>();
withSite({}, { apart: true });
beforeAll(async () => {
  for (const language of LANGUAGES) {
    for (const [path] of PAGES) {
      const response = await get(path, language);
      crawl.set(`${language} ${path}`, { status: response.status, html: await response.text() });
    }
  }
});

function read(path: string, language: Language): { status: number; html: string } {
  const page = crawl.get(`${language} ${path}`);
  if (!page) throw new Error(`${path} is not in the site map.`);
  return page;
}

const MISSING = ['/landing/unknown', '/invented', '/crm/invented', '/application'];
const NOT_FOUND_LINKS = ['/', '/eligibility-check', '/application-guide', '/contact'];
const EVERYWHERE = [
  ...['/how-it-works', '/services', '/about', '/faq', '/contact', '/application/status'],
  ...['/eligibility-check', '/auth', 'https://esta.cbp.dhs.gov/'],
];

const get = (path: string, language: string) =>
  new Visitor(site.origin, { 'Accept-Language': language }).get(path);
const hrefs = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );

const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
const filledOf = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*class="([^"]*)"/g)].flatMap(
    ([, href = '', classes = '']) =>
      /(^| )button( |$)/.test(classes) && !classes.includes('button-quiet') ? href : [],
  );

describe.each(LANGUAGES)('pages in %s', (language) => {
  it.each(PAGES)('%s is whole, and its links are there', (path, links) => {
    const { status, html } = read(path, language);
    expect(status).toBe(200);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html.match(/<title>[^<]{10,}<\/title>/g)).toHaveLength(1);
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/);
    for (const landmark of ['<header', '<main', '<footer', '<nav'])
      expect(html).toContain(landmark);
    expect(html).not.toMatch(/ style=|<style/);
    expect(hrefs(html)).toEqual(expect.arrayContaining([...links, ...EVERYWHERE]));
    const body = html.replace(/<script[\s\S]*?<\/script>/g, '');
    // A variable without a value, or a key without words, shows as itself.
    expect(body).not.toMatch(
      /\{\{|undefined|NaN|\b(home|services|about|legal|landing|placeholders|shell|eligibility|contact|guide|timeline):\w/,
    );
    // A word joiner after the hyphen keeps the word on its line.
    const words = body.replace(/^[^]*<body/, '').replace(/<[^>]*>/g, ' ');
    expect(words).not.toMatch(/\be-mail/i);
  });

  it.each(MISSING)('%s is a 404 with a way home', async (path) => {
    const response = await get(path, language);
    expect(response.status).toBe(404);
    const html = await response.text();
    expect(html).toContain(bundles[language].shell.errors.notFound.title);
    expect(hrefs(mainOf(html))).toEqual(NOT_FOUND_LINKS);
  });

  it.each(['/', '/landing/fast-processing', '/landing/expert-help'])(
    '%s says that applications are not open',
    (path) => {
      const main = mainOf(read(path, language).html);
      const starts = main.split('href="/application/new/step-1').slice(1);
      expect(starts.length).toBeGreaterThan(0);
      for (const rest of starts) {
        expect(rest.slice(0, 300)).toContain(bundles[language].shell.applicationsNotOpen);
      }
      expect(main).toContain(bundles[language].home.start);
      expect(filledOf(main).every((goal) => goal.startsWith('/eligibility-check'))).toBe(true);
    },
  );

  it('the landing page on a status says where it is, and that it is not here yet', () => {
    const main = mainOf(read('/landing/status-check', language).html);
    expect(filledOf(main)).toEqual(['https://esta.cbp.dhs.gov/']);
    expect(main).toContain(bundles[language].landing.statusCheck.notOpen);
  });

  it('have titles of their own, but for the placeholders, and descriptions where they are found', () => {
    const own = PAGES.map(([path]) => path).filter(
      (path) => !/^\/(application\/|crm)|\?/.test(path),
    );
    for (const [paths, pattern] of [
      [own, /<title>([^<]*)/],
      [INDEXED_PATHS, /name="description" content="([^"]*)/],
    ] as const) {
      const words = paths.map((path) => pattern.exec(read(path, language).html)?.[1]);
      expect(new Set(words).size).toBe(paths.length);
    }
  });
});

const ASSETS = 'build/client/assets';
const KB = 1024;
const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

const weights = new Map<string, number>();
/** A file's size as a browser gets it; compressed once, however many pages load it. */
function weigh(file: string): number {
  const known = weights.get(file);
  if (known !== undefined) return known;
  const weight = brotliCompressSync(readFileSync(file)).length;
  weights.set(file, weight);
  return weight;
}

function scriptsOf(html: string, language: Language): string[] {
  const named = [...html.matchAll(/\/assets\/([\w.-]+\.js)/g)].map(([, file = '']) => file);
  const words = /data-words="([^"]*)"/.exec(html)?.[1]?.split(' ') ?? [];
  return [
    ...new Set(named.map((file) => join(ASSETS, file))),
    ...words.map((name) => `locales/${language}/${name}.json`),
  ];
}

it('of what needs an account nothing is there', async () => {
  const addresses = addressesIn('live').map(({ path }) => path.replace(/:\w+/g, 'x'));
  const missing = addresses.filter((path) => matchAddress(path, 'offline').path === '/*');
  expect(missing.length).toBeGreaterThan(35);
  for (const path of missing) {
    const visitor = new Visitor(site.origin);
    const answers = [await visitor.get(path), await visitor.post(path, {})];
    // Where there is something to read alone, no form is taken in any mode.
    const statuses = [path, 404, expect.toBeOneOf([404, 405])];
    expect([path, ...answers.map(({ status }) => status)]).toEqual(statuses);
  }
});

it('style sheet and font are as light as they may be', () => {
  const sheets = PAGES.flatMap(([path]) => read(path, 'fr').html.match(/[\w-]+\.css/g));
  expect([...new Set(sheets)]).toEqual([expect.stringMatching(/^styles-/)]);
  expect(gzipSync(readFileSync(join(ASSETS, String(sheets[0])))).length).toBeLessThan(13.5 * KB);
  const fonts = readdirSync(ASSETS).filter((file) => file.endsWith('.woff2'));
  expect(fonts.length).toBeGreaterThan(0);
  expect(sum(fonts.map((file) => readFileSync(join(ASSETS, file)).length))).toBeLessThan(62 * KB);
  expect(read('/', 'fr').html.match(/<link rel="preload"[^>]*as="font"/g)).toHaveLength(1);
});

it('no link of any page is dead', async () => {
  const seen = new Set<string>();
  for (const [path] of PAGES) {
    for (const href of hrefs(read(path, 'fr').html)) {
      if (href.startsWith('/')) seen.add(href);
    }
  }
  for (const href of seen) expect([href, (await get(href, 'fr')).status]).toEqual([href, 200]);
  expect(seen.size).toBeGreaterThan(20);
});

describe('official facts', () => {
  it('show today’s figure, its source and what held before', () => {
    const { html } = read('/services', 'en');
    expect(html).toMatch(/lang="en" hrefLang="en"[^>]*>Official ESTA site, page read on/);
    const earlier = 'until 29 September 2025): US$21.00';
    for (const words of ['US$40.27', earlier, 'Checked on 28 September 2026']) {
      expect(html).toContain(words);
    }
  });

  it('follow the day that TODAY sets', async () => {
    const earlier = endsWithTest(await startInProcess({ TODAY: '2025-09-29' }));
    const visitor = new Visitor(earlier.origin, { 'Accept-Language': 'en' });
    const html = await (await visitor.get('/services')).text();
    expect(html).toContain('US$21.00');
    expect(html).not.toContain('40.27');
  });
});

it('the health check names the version and the commit of the build', async () => {
  const alive = await get('/healthz', 'en');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const [ok, ...lines] = (await alive.text()).split('\n');
  expect([alive.status, ok, lines[0]]).toEqual([200, 'ok', `version ${version}`]);
  expect(lines.slice(1).join()).toMatch(/^(commit [0-9a-f]{40}(-dirty)?,)?$/);
});

const waysOf = (html: string) =>
  [...(/<dl [^>]*border-ink[^]*?<\/dl>/.exec(html)?.[0] ?? '').matchAll(/<dd[ >][^]*?<\/dd>/g)].map(
    ([way]) => way.replace(/<[^>]*>/g, '').replaceAll(/[\u00a0\u202f]/g, ' '),
  );

it.each([
  ['fr', /^40,27 \$US/, /^40,27 \$US \+ 39,95 €/],
  ['de', /^40,27 US-\$/, /^40,27 US-\$ \+ 39,95 €/],
  // One currency, one sum.
  ['en', /^US\$40\.27/, /^US\$80\.22.*US\$40\.27.*US\$39\.95/],
] as const)('the price comparison in %s is whole on both sides', (language, alone, withUs) => {
  for (const path of ['/', '/about', '/services']) {
    expect([path, waysOf(read(path, language).html)]).toEqual([
      path,
      [expect.stringMatching(alone), expect.stringMatching(withUs)],
    ]);
  }
});

it('the specimen on the home page shows the date that is sent', () => {
  const { html } = read('/', 'fr');
  expect(html).toContain('aria-label="03 NOVEMBER 1990"');
  expect(html).not.toContain('3 NOV 90');
});

it('a dollar of a month that is long over is in no sum', async () => {
  const settings = { vat: { eurPerUsd: { '2021-01': '0.87' } } };
  const { origin } = endsWithTest(await startInProcess({}, { settings }));
  const visitor = new Visitor(origin, { 'Accept-Language': 'fr' });
  const ways = waysOf(await (await visitor.get('/')).text());
  expect(ways[1]).toContain('€');
  expect(ways[1]).not.toContain('environ');
});

// Last: what takes so long keeps no connection open.
describe.each(LANGUAGES)('in %s', (language) => {
  it.each(PAGES)('%s loads no more script than it may', (path) => {
    const { html } = read(path, language);
    const scripts = scriptsOf(html, language);
    const total = sum(scripts.map(weigh));
    expect(scripts.length).toBeGreaterThan(0);
    // What every page that hydrates has in common is React, Remix and i18next.
    expect(html.includes('data-after-paint')).toBe(HYDRATES.test(path));
    if (HYDRATES.test(path)) expect(total).toBeLessThan(118 * KB);
    else {
      expect(scripts).toEqual([expect.stringMatching(/progressive-/)]);
      expect(total).toBeLessThan(5 * KB);
    }
  });
});
