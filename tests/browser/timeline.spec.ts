import { JOURNEY_LANGUAGES } from '../rounds';
import { expect, expectAccessible, test, watchConsole, words } from './site';

/** A day so many days from now, as the site's operator in Paris counts them. */
function dayFromNow(days: number): string {
  const later = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(later);
}

for (const language of JOURNEY_LANGUAGES) {
  const { timeline, shell } = words(language);

  test.describe(`the timeline in ${language}`, () => {
    test.use({ locale: language });

    test('a date in the field gets its recommendation', async ({ open, page }) => {
      const messages = watchConsole(page);
      await open('/timeline');
      await expect(page.getByText(timeline.planner.empty)).toBeVisible();
      for (const [days, name] of [
        [1, 'immediately'],
        [7, 'soon'],
        [60, 'optimal'],
        [200, 'early'],
      ] as const) {
        await page.getByLabel(timeline.planner.field).fill(dayFromNow(days));
        await page.getByRole('button', { name: timeline.planner.show }).click();
        await expect(page).toHaveURL(new RegExp(`date=${dayFromNow(days)}`));
        await expect(
          page.getByRole('main').getByText(timeline.answer[name].title, { exact: true }),
        ).toBeVisible();
        await expect(
          page.getByRole('main').getByText(timeline.answer[name].action, { exact: true }),
        ).toBeVisible();
        await expectAccessible(page);
      }
      expect(messages).toEqual([]);
    });

    test('a day of the calendar does too, in another month', async ({
      open,
      page,
      site,
      javaScriptEnabled,
    }) => {
      await open('/timeline');
      const next = page.getByRole('link', {
        name: timeline.planner.next.split('{{')[0] ?? '',
      });
      const title = page.locator('#month');
      for (let month = 0; month < 4; month += 1) {
        const before = (await title.textContent()) ?? '';
        await next.click();
        await expect(title).not.toHaveText(before);
      }
      await page.locator('main table button').nth(14).click();
      await expect(page).toHaveURL(/date=\d{4}-\d\d-15/);
      await expect(page.getByText(timeline.answer.early.title, { exact: true })).toBeInViewport();
      // In a grid the cell is chosen, else the button is pressed.
      const chosen = javaScriptEnabled ? 'td[aria-selected=true]' : '[aria-pressed=true]';
      await expect(page.locator(chosen)).toHaveText('15');
      const address = await page
        .getByRole('link', { name: timeline.reminder.button })
        .getAttribute('href');
      const file = await page.request.get(site.origin + address);
      expect(await file.text()).toContain('BEGIN:VCALENDAR');
    });

    test('a date that has passed is refused, kindly', async ({ open, page, javaScriptEnabled }) => {
      await open('/timeline');
      await page.getByLabel(timeline.planner.field).fill('2020-02-29');
      await page.getByRole('button', { name: timeline.planner.show }).click();
      const summary = page.getByRole('alert');
      await expect(summary).toContainText(timeline.errors.title);
      await expect(summary).toBeInViewport();
      await expect(page.locator('#date')).toHaveAttribute('aria-invalid', 'true');
      await expect(page).toHaveTitle(new RegExp(`^${shell.title.error.split('{{')[0]}`));
      if (javaScriptEnabled) {
        await expect(summary).toBeFocused();
        await expectAccessible(page);
      }
    });

    test('the other tabs keep the chosen date', async ({ open, page }) => {
      await open(`/timeline?date=${dayFromNow(60)}`);
      await page.locator('#tab-process').click();
      await expect(page.getByText(timeline.process.authorization.title)).toBeVisible();
      await expectAccessible(page);
      await page.locator('#tab-times').click();
      await expect(page.getByText(timeline.times.examples)).toBeVisible();
      await expectAccessible(page);
      await page.locator('#tab-planner').click();
      await expect(page.getByText(timeline.answer.optimal.title, { exact: true })).toBeVisible();
    });
  });
}
