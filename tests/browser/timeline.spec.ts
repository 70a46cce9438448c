import { startSite } from '../production-server';
import { JOURNEY_LANGUAGES } from '../rounds';
import {
  becomesInteractive,
  expect,
  hold,
  expectAccessible,
  expectRefused,
  test,
  watchConsole,
  waysIn,
  words,
} from './site';

for (const { language, name, use } of waysIn(JOURNEY_LANGUAGES)) {
  const { guide, shell, timeline } = words(language);

  test.describe(`guide and timeline in ${name}`, () => {
    test.use(use);

    test('the guide is read and printed', async ({ javaScriptEnabled, open, page, site }) => {
      const messages = watchConsole(page);
      await open('/application-guide');
      const heading = page.locator('main h2:visible').first();
      const first = await heading.innerText();
      await page.getByRole('link', { name: guide.steps.next, exact: true }).click();
      await expect(page).toHaveURL(/step=2/);
      await expect(heading).not.toHaveText(first);
      if (javaScriptEnabled) await expect(heading).toBeFocused();
      const second = await heading.innerText();
      await page.reload();
      await expect(heading).toHaveText(second);
      await page.goBack();
      await expect(heading).toHaveText(first);
      expect(messages).toEqual([]);

      await page.goto(`${site.origin}/application-guide?tab=tips`);
      await page.emulateMedia({ media: 'print' });
      await expect(page.locator('article h2:visible')).toHaveCount(6);
      await expect(page.getByRole('heading', { name: guide.tips.title })).toBeVisible();
      await expect(page.getByRole('heading', { name: guide.resources.title })).toBeVisible();
      await expect(page.getByText('(https://www.dhs.gov/e-passports)').first()).toBeVisible();
      await expect(page.getByRole('navigation')).toHaveCount(0);
    });

    if (!use.javaScriptEnabled) return;

    test('the days are a grid for the keyboard', async ({ page }) => {
      const site = await startSite({ TODAY: '2026-11-21' });
      await page.goto(`${site.origin}/timeline?date=2026-11-24`);
      await becomesInteractive(page);
      const focused = () =>
        page.evaluate(() => (document.activeElement as HTMLButtonElement).value);
      const reachable = page.getByRole('grid').locator('[tabindex="0"]');
      await expect(reachable).toHaveCount(1);
      await expect(page.locator('td[aria-selected=true]')).toHaveText('24');
      await page.locator('button[value="2026-11-24"]').focus();
      for (const [key, day] of [
        ['ArrowRight', '2026-11-25'],
        ['ArrowDown', '2026-12-02'],
        ['Shift+PageDown', '2027-12-02'],
        ['Shift+PageUp', '2026-12-02'],
        ['PageUp', '2026-11-21'],
        ['ArrowLeft', '2026-11-21'],
      ] as const) {
        await page.keyboard.press(key);
        await expect.poll(focused, `after ${key}`).toBe(day);
        await expect(reachable).toHaveAttribute('value', day);
      }
      // Keys that come faster than the months do are not lost.
      for (let press = 0; press < 5; press += 1) await page.keyboard.press('PageDown');
      await expect.poll(focused).toBe('2027-04-21');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/date=2027-04-21/);
      const advice = page.getByRole('main').getByText(timeline.answer.early.title, { exact: true });
      await expect(advice).toBeInViewport();
      await expect.poll(focused).toBe('2027-04-21');
      await page.getByLabel(timeline.planner.field).fill('2020-02-29');
      await page.getByRole('button', { name: timeline.planner.show }).click();
      await expectRefused(page);
      await site.stop();
    });

    test('what was ticked stays ticked on this device', async ({ page, site }) => {
      const done = (count: number, total = 6) =>
        guide.checklist.done.replace('{{done}}', String(count)).replace('{{total}}', String(total));
      const boxes = page.locator('article:visible input');
      const status = page.locator('article:visible').getByRole('status');
      const release = await hold(page, '**/assets/entry*.js');
      await page.goto(`${site.origin}/application-guide?step=2`, { waitUntil: 'domcontentloaded' });
      await boxes.nth(0).check();
      release();
      await becomesInteractive(page);
      await expect(status).toHaveText(done(1));
      await boxes.nth(3).check();
      await expect(status).toHaveText(done(2));
      await page.getByRole('link', { name: guide.steps.next, exact: true }).click();
      await expect(status).toHaveText(done(0, 5));
      await page.goto(
        `${site.origin}/application-guide?step=2&lng=${language === 'fr' ? 'de' : 'fr'}`,
      );
      await becomesInteractive(page);
      await expect(boxes.nth(3)).toBeChecked();
      await boxes.nth(3).uncheck();
      await page.reload();
      await becomesInteractive(page);
      await expect(boxes.nth(0)).toBeChecked();
      await expect(boxes.nth(3)).not.toBeChecked();
      await expectAccessible(page);
    });

    test('the way to the guide says how it goes, and leads back', async ({ page, site }) => {
      const messages = watchConsole(page);
      const heading = page.getByRole('heading', { level: 1 });
      const leave = async () => {
        await becomesInteractive(page);
        await page.getByRole('link', { name: timeline.buttons.guide }).click();
      };
      await page.route('**/speculation-rules', (route) =>
        route.fulfill({ contentType: 'application/speculationrules+json', body: '{}' }),
      );
      await page.goto(`${site.origin}/timeline?tab=times`);
      // An answer without contents leaves the page as it is while another loads.
      await page.route('**/application-guide', (route) => route.fulfill({ status: 204 }));
      await leave();
      await expect(page.getByText(shell.loadingGuide)).toBeVisible();
      await expectAccessible(page);
      await page.unroute('**/application-guide');
      await leave();
      await expect(heading).toHaveText(guide.title);
      await expect(page.getByText(shell.loadingGuide)).toHaveCount(0);
      await page.reload();
      await becomesInteractive(page);
      await page.goBack();
      await expect(heading).toHaveText(timeline.title);
      expect(messages).toEqual([]);

      site.execute('alter table guidance_content rename to away');
      try {
        await page.reload();
        await leave();
        await expect(page.getByRole('alert')).toContainText(guide.failed.text);
        await expect(page.getByText(shell.loadingGuide)).toHaveCount(0);
        await expectAccessible(page);
      } finally {
        site.execute('alter table away rename to guidance_content');
      }
    });
  });
}
