import {
  applicationPath,
  ORDER,
  sampleAnswers,
  sendAnswers,
  STATEMENTS,
} from '../http/application';
import { HtmlBrowser } from '../http/html-browser';
import { payInDemo } from '../payments';
import { expect, setCookie, test } from './site';

test.use({ locale: 'fr', siteWith: { variables: { OFFLINE_MODE: 'false' } } });

/** What may be read on the way from home to the receipt, and on how high a page, at 390 px (issue 36). */
const MOST_WORDS = { closed: 3600, open: 5500 };
const MOST: Record<string, { words: number; height?: number }> = {
  '/': { words: 700 },
  'step-1': { words: 200, height: 2400 },
  'step-8': { words: 350, height: 3400 },
  payment: { words: 350, height: 2800 },
};

/** Somebody of whom little more is asked. */
const PLAIN: Record<number, Record<string, string>> = {
  1: { has_other_names: 'no' },
  2: { other_travel_document: 'no' },
  3: { has_other_citizenship: 'no', had_other_citizenship: 'no', is_trusted_traveller: 'no' },
  4: { social_media_choice: 'no_accounts' },
  5: { has_employer: 'no' },
};

test('the way from home to the receipt is short', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const found: { at: string; closed: number; open: number; height: number; tabs: number }[] = [];
  const reader = await HtmlBrowser.open(site.origin, '/', 'fr');
  const see = async (address: string) => {
    for (const name of ['draft', 'session']) {
      const value = reader.visitor.cookie(name);
      if (value !== undefined) await setCookie(page.context(), site, name, value);
    }
    await page.goto(site.origin + address);
    const isIn = () =>
      page.evaluate(() => document.activeElement?.matches('#page-form :is(input, select)'));
    let tabs = -1;
    do {
      await page.keyboard.press('Tab');
      tabs += 1;
    } while (tabs < 20 && !(await isIn()));
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const covered = await page.locator('#page-form input:visible').evaluateAll((inputs) =>
      inputs.filter((input) => {
        input.scrollIntoView({ block: 'center' });
        const { x, y } = input.getBoundingClientRect();
        return !input.parentElement?.contains(document.elementFromPoint(x + 5, y + 5));
      }),
    );
    expect.soft([address, covered.length]).toEqual([address, 0]);
    const count = () =>
      page.locator('main').evaluate((main: HTMLElement) => {
        for (const choice of main.querySelectorAll('select')) choice.replaceChildren();
        return main.innerText.split(/\s+/u).filter((word) => /[\p{L}\d]/u.test(word)).length;
      });
    const closed = await count();
    await page.locator('main details').evaluateAll((folds: HTMLDetailsElement[]) => {
      for (const fold of folds) fold.open = true;
    });
    const at = address === '/' ? '/' : (address.split('/').at(-1) ?? '');
    found.push({ at, closed, open: await count(), height, tabs });
  };

  await see('/');
  await see('/application/new');
  await see('/application/new/step-1');
  await reader.go('/application/new/step-1');
  for (let step = 1; step <= 7; step += 1) {
    await sendAnswers(reader, sampleAnswers(step, PLAIN[step]));
    if (step < 7) await see(`${applicationPath(reader)}/step-${step + 1}`);
  }
  const path = applicationPath(reader);
  await reader.go(`${path}/step-8`);
  await see(`${path}/step-8`);
  await sendAnswers(reader, STATEMENTS);
  await see(`${path}/payment`);
  await reader.go(`${path}/payment`);
  await sendAnswers(reader, ORDER);
  await payInDemo(reader);
  await see(`${path}/success`);

  const sum = (which: 'closed' | 'open') => found.reduce((all, one) => all + one[which], 0);
  console.table(found);
  for (const { at, closed, height, tabs } of found) {
    const { words = Infinity, height: most = Infinity } = MOST[at] ?? {};
    expect.soft([at, closed <= words, height <= most]).toEqual([at, true, true]);
    if (/step-[1-7]/.test(at)) expect.soft([at, tabs <= 5]).toEqual([at, true]);
  }
  expect.soft(sum('closed')).toBeLessThanOrEqual(MOST_WORDS.closed);
  expect.soft(sum('open')).toBeLessThanOrEqual(MOST_WORDS.open);
});
