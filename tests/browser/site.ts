import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';

import type AxeBuilder from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';

import type { StaffRole } from '~/access';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES, type Language } from '~/i18n/languages';
import { noteRoutes, rememberRoutes } from '../asked-routes';
import { addPerson, signedIn } from '../http/signed-in';
import { anyAddress } from '../http/visitor';
import { type ServedSite, type Site, startSite, type StartOptions } from '../production-server';
import { LONG } from '../rounds';
import { HYDRATES } from '../site-map';
import { expectWalkable } from './focus';

interface Fixtures {
  open: (address: string) => Promise<void>;
}

interface SiteWith {
  variables?: Record<string, string>;
  options?: StartOptions;
}

let hasScripts = true;

/** Production servers with databases of their own: of those started with the same, each worker has one. */
export const test = base.extend<
  Fixtures & { noted: void; site: Site; siteWith: SiteWith },
  { sites: (siteWith: SiteWith) => Promise<Site> }
>({
  siteWith: [{}, { option: true }],
  // By what is started rather than by the worker: another worker has another browser.
  sites: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
    async ({}, use) => {
      const started = new Map<string, Promise<Site>>();
      await use((siteWith) => {
        const key = JSON.stringify(siteWith);
        const site = started.get(key) ?? readySite(siteWith.variables, siteWith.options);
        started.set(key, site);
        return site;
      });
      for (const site of started.values()) await (await site).stop();
    },
    { scope: 'worker' },
  ],
  site: async ({ sites, siteWith }, provide) => provide(await sites(siteWith)),
  noted: [
    async ({ site, javaScriptEnabled }, provide, { file, titlePath }) => {
      hasScripts = javaScriptEnabled !== false;
      const before = site.log().length;
      await provide();
      rememberRoutes(site.log().slice(before), { isBuilt: true });
      noteRoutes(relative('.', file), titlePath.slice(1).join(' '));
    },
    { auto: true },
  ],
  open: async ({ page, site, javaScriptEnabled }, provide) =>
    provide(async (address) => {
      await page.goto(site.origin + address);
      if (javaScriptEnabled && HYDRATES.test(address)) await becomesInteractive(page);
    }),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
  extraHTTPHeaders: async ({}, provide) => provide({ 'X-Forwarded-For': anyAddress() }),
});

export { expect, LANGUAGES, type Language };

export async function readySite(...given: Parameters<typeof startSite>): Promise<ServedSite> {
  const site = await startSite(...given);
  await fetch(`${site.origin}/readyz`);
  return site;
}

/** With a script, and in the long run without one. @param isWithout whether that is in the usual run, too */
export const waysIn = <L extends string>(languages: Iterable<L>, isWithout = LONG) =>
  [...languages].flatMap((language) =>
    (isWithout ? [true, false] : [true]).map((javaScriptEnabled) => ({
      language,
      name: `${language}${javaScriptEnabled ? '' : ', without a script'}`,
      use: { locale: language, javaScriptEnabled },
    })),
  );

export const words = (language: Language) => bundles[language];

export const setCookie = (context: BrowserContext, { origin }: Site, name: string, value = '') =>
  context.addCookies([{ name, value, url: origin }]);

export const signInStaff = (context: BrowserContext, site: Site, role: StaffRole) =>
  setCookie(context, site, 'session', signedIn(site, addPerson(site, { role })).cookie('session'));

export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** The browser's note that the focus stayed where a key, or the address, had brought it before. */
const SOMEBODY_WAS_QUICKER = 'Autofocus processing was blocked because a document';

/** Fails for every message that a page leaves in the console, but for answers of 4xx and 5xx. */
export function watchConsole(page: Page): string[] {
  const messages: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (text.startsWith('Failed to load resource') || text.startsWith(SOMEBODY_WAS_QUICKER)) return;
    if (text.startsWith('Clear-Site-Data header')) return;
    messages.push(text);
  });
  page.on('pageerror', (error) => messages.push(error.message));
  return messages;
}

export async function forbidStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('', 'SecurityError');
    };
    for (const kind of ['sessionStorage', 'localStorage'])
      Object.defineProperty(window, kind, { get });
  });
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const packages = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'));
const AXE = readFileSync(packages.resolve('axe-core/axe.min.js'), 'utf8');

export async function expectAccessible(page: Page): Promise<void> {
  await runAxe(page, TAGS);
  expect(await page.evaluate(wordsRunTogether)).toEqual([]);
}

export async function expectAccessibleInTheDark(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await runAxe(page, []);
  await page.emulateMedia({ colorScheme: null });
}

/** What axe has found to be fine: colours are most of its work, and pages share theirs, and what stands around. */
const fine = new Set<string>();

/** By axe itself rather than its builder: there are no frames, and a page looked at twice has axe. */
async function runAxe(page: Page, tags: string[]): Promise<void> {
  // axe is a script itself.
  if (!hasScripts) return;
  // Without its style sheet, which may still be on the way, a page has other sizes.
  await page.waitForLoadState('load');
  const unseen = await page.evaluate(findUnseen, [...fine]);
  if (unseen.length === 0 && tags.length === 0) return;
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (runOnly) => {
    type Where = Document | { include: Element[] } | { include: Document; exclude: Element[] };
    const { axe, words, seen } = window as unknown as Unseen & {
      axe: { run: (where: Where, options: object) => ReturnType<AxeBuilder['analyze']> };
    };
    const usual = { resultTypes: ['violations'], selectors: false, preload: false };
    const run = async (where: Where, options: object) =>
      (await axe.run(where, { ...usual, ...options })).violations;
    const rules = { 'color-contrast': { enabled: false } };
    const around = seen.length > 0 ? { include: document, exclude: seen } : document;
    return [
      ...(runOnly.length > 0 ? await run(around, { runOnly, rules }) : []),
      ...(words.length > 0 ? await run({ include: words }, { runOnly: ['color-contrast'] }) : []),
    ].map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 160))]);
  }, tags);
  expect(violations).toEqual([]);
  for (const one of unseen) fine.add(one);
}

interface Unseen {
  words: Element[];
  seen: Element[];
}

/**
 * Leaves in the page one element of each colour that words have, large or not, with all that lies behind
 * them, unless it is known to be fine; and header and footer if they are. Runs in the page.
 *
 * @returns what is new
 */
function findUnseen(known: string[]): string[] {
  const grounds = new Map<Element | null, string>([[null, '']]);
  const groundOf = (element: Element | null): string => {
    const found = grounds.get(element);
    if (found !== undefined || !element) return found ?? '';
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const own = [backgroundColor, backgroundImage, opacity].join(' ');
    const behind = groundOf(element.parentElement);
    const ground = own === 'rgba(0, 0, 0, 0) none 1' ? behind : `${behind} / ${own}`;
    grounds.set(element, ground);
    return ground;
  };
  const colourOf = (element: Element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize);
    // As WCAG 1.4.3 has it.
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    return [color, isLarge, groundOf(element)].join(' ');
  };
  const withWords = [...document.body.querySelectorAll('*')].filter(
    (element) =>
      element.checkVisibility() &&
      (element.matches('input, select, textarea') ||
        [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')),
  );
  const words = new Map(withWords.map((element) => [colourOf(element), element]));
  const shapeOf = (part: Element) =>
    [part, ...part.querySelectorAll('*')]
      .map((one) =>
        [one.tagName, one.role, one.getAttribute('class'), one.checkVisibility()].join(' '),
      )
      .join('; ');
  const around = [...document.querySelectorAll('header, footer')].filter(
    (part) => !part.closest('main'),
  );
  for (const one of known) words.delete(one);
  const isKnown = (part: Element) => known.includes(shapeOf(part));
  const unseen: Unseen = { words: [...words.values()], seen: around.filter(isKnown) };
  Object.assign(window, unseen);
  return [...words.keys(), ...around.filter((part) => !isKnown(part)).map(shapeOf)];
}

export const look = (page: Page, what: string, { isWalked = true } = {}) =>
  test.step(what, async () => {
    const size = page.viewportSize();
    await expectAccessibleInTheDark(page);
    await expectNarrow(page);
    if (isWalked) await expectWalkable(page, hasScripts);
    if (size) await page.setViewportSize(size);
  });

export async function expectRefused(page: Page): Promise<void> {
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('alert')).toBeInViewport();
}

/** To Chromium a space is none that is a text of its own beside one of React's comments. Runs in the page. */
function wordsRunTogether(): string[] {
  const ids = [...document.querySelectorAll('[aria-describedby], [aria-labelledby]')].flatMap(
    (one) =>
      ['aria-describedby', 'aria-labelledby'].flatMap(
        (name) => one.getAttribute(name)?.split(' ') ?? [],
      ),
  );
  const named = [
    ...document.querySelectorAll('a, button, label, legend, summary, h1, h2, h3'),
    ...ids.flatMap((id) => document.getElementById(id) ?? []),
  ];
  const isLost = (text: Node) =>
    text.textContent?.trim() === '' &&
    [text.previousSibling, text.nextSibling].some((node) => node instanceof Comment);
  return named.flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let words = '';
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      // Some is printed only.
      if (text.parentElement?.checkVisibility()) words += isLost(text) ? '|' : text.textContent;
    }
    return /[^\s|]\|[^\s|]/.test(words) ? [words] : [];
  });
}

export async function expectNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(320);
  const brand = page.locator('header a').first();
  expect(await brand.evaluate((link) => link.scrollWidth - link.clientWidth)).toBe(0);
  // Tabs are a list here: each has a line of its own, and its words stay on it.
  const tabs = await page.locator('[id^=tab-]:is(a)').all();
  const boxes = await Promise.all(tabs.map((tab) => tab.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(tabs.length);
  for (const box of boxes) expect(box?.height).toBeLessThan(56);
}

export async function becomesInteractive(page: Page): Promise<void> {
  // One function that waits, also for a page that takes the place of this one meanwhile.
  await page.waitForFunction(() => {
    const keys = Object.keys(document.querySelector('h1') ?? {});
    if (!keys.some((key) => key.startsWith('__reactFiber'))) return false;
    // Effects run after the next frame.
    return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 50)));
  });
}
