import { startSite } from '../production-server';
import { JOURNEY_LANGUAGES } from '../rounds';
import {
  becomesInteractive,
  expect,
  hold,
  expectAccessible,
  test,
  watchConsole,
  words,
} from './site';

for (const language of JOURNEY_LANGUAGES) {
  const { guide, shell, timeline } = words(language);

  test.describe(`guide and timeline with a script, in ${language}`, () => {
    test.use({ locale: language });

    test('the days are a grid for the keyboard', async ({ page }) => {
      const site = await startSite({ TODAY: '2026-11-21' });
      await page.goto(`${site.origin}/timeline?date=2026-11-24`);
      await becomesInteractive(page);
      const focused = () =>
        page.evaluate(() => (document.activeElement as HTMLButtonElement).value);
      const reachable = page.getByRole('grid').locator('[tabindex="0"]');
      await expect(reachable).toHaveCount(1);
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
      await expect(page.getByText(timeline.answer.early.title, { exact: true })).toBeVisible();
      await expect.poll(focused).toBe('2027-04-21');
      await site.stop();
    });

    test('what was ticked stays ticked on this device, even before the script came', async ({
      page,
      site,
    }) => {
      const done = (count: number, total = 6) =>
        guide.checklist.done.replace('{{done}}', String(count)).replace('{{total}}', String(total));
      const boxes = page.locator('article:visible input');
      const status = page.locator('article:visible').getByRole('status');
      const release = await hold(page, '**/assets/entry*.js');
      await page.goto(`${site.origin}/application-guide?step=2`, { waitUntil: 'commit' });
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

    test('the way to the guide says that it is loading, or what to do, and leads back', async ({
      page,
      site,
    }) => {
      const messages = watchConsole(page);
      const heading = page.getByRole('heading', { level: 1 });
      const leave = async () => {
        await becomesInteractive(page);
        await page.getByRole('link', { name: timeline.buttons.guide }).click();
      };
      await page.goto(`${site.origin}/timeline?tab=times`);
      const release = await hold(page, '**/application-guide?*_data=*');
      await leave();
      await expect(page.getByText(shell.loadingGuide)).toBeVisible();
      await expectAccessible(page);
      release();
      await expect(heading).toHaveText(guide.title);
      await expect(page.getByText(shell.loadingGuide)).toHaveCount(0);
      // The page that is gone back to after a reload has its words.
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

test('the calendar’s code is loaded on its own page alone', async ({ page, open }) => {
  const scripts = async (path: string) => {
    const seen: string[] = [];
    const note = (request: { url: () => string }) => {
      if (request.url().endsWith('.js')) seen.push(request.url());
    };
    page.on('request', note);
    // Until React has taken over, and has asked for what it wants.
    await open(path);
    page.off('request', note);
    const texts = await Promise.all(seen.map(async (url) => (await page.request.get(url)).text()));
    return texts.join('\n');
  };
  expect(await scripts('/timeline')).toContain('ArrowDown:');
  for (const path of ['/application-guide', '/contact', '/eligibility-check', '/']) {
    expect([path, (await scripts(path)).includes('PageDown:')]).toEqual([path, false]);
  }
});
