import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LANGUAGES } from '~/i18n/languages';
import { HYDRATES, PAGES } from '../site-map';
import { type Site, startSite } from '../production-server';
import { Visitor } from './visitor';

const ASSETS = 'build/client/assets';
const KB = 1024;
let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const weigh = (file: string) => brotliCompressSync(readFileSync(file)).length;
const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

/** The scripts that a page loads by itself, with the words of its language. */
async function scriptsOf(path: string, language: string): Promise<string[]> {
  const html = await (
    await new Visitor(site.origin, { 'Accept-Language': language }).get(path)
  ).text();
  const named = [...html.matchAll(/\/assets\/([\w.-]+\.js)/g)].map(([, file = '']) => file);
  const words = /data-words="([^"]*)"/.exec(html)?.[1]?.split(' ') ?? [];
  return [
    ...new Set(named.map((file) => join(ASSETS, file))),
    ...words.map((name) => `locales/${language}/${name}.json`),
  ];
}

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(PAGES)('%s loads no more script than it may', async (path) => {
    const scripts = await scriptsOf(path, language);
    const total = sum(scripts.map(weigh));
    // What every page that hydrates has in common is React, Remix and i18next.
    if (HYDRATES.test(path)) expect(total).toBeLessThan(110 * KB);
    else {
      expect(scripts).toEqual([expect.stringMatching(/polish-/)]);
      expect(total).toBeLessThan(5 * KB);
    }
  });
});

it('no page has more than 25 KB of its own', async () => {
  const shared = new Set(await scriptsOf('/eligibility/none', 'fr'));
  const pages = ['/eligibility-check', '/contact', '/application-guide', '/timeline'];
  const all = await Promise.all(pages.map((path) => scriptsOf(path, 'fr')));
  const common = new Set(all[0]?.filter((file) => all.every((files) => files.includes(file))));
  for (const files of all) {
    const own = files.filter((file) => !common.has(file) && !shared.has(file));
    expect(sum(own.map(weigh))).toBeLessThan(25 * KB);
  }
});

it('style sheet and font are as light as they may be', () => {
  const files = readdirSync(ASSETS);
  const sheets = files.filter((file) => file.endsWith('.css'));
  const fonts = files.filter((file) => file.endsWith('.woff2'));
  expect(sheets).toHaveLength(1);
  expect(fonts).toHaveLength(1);
  expect(sum(sheets.map((file) => weigh(join(ASSETS, file))))).toBeLessThan(15 * KB);
  expect(readFileSync(join(ASSETS, fonts[0] ?? '')).length).toBeLessThan(35 * KB);
});
