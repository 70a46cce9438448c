import { JOURNEY_LANGUAGES } from '../rounds';
import { expect, expectAccessible, test, watchConsole, words } from './site';

/** A day so many days from now, as the site's operator in Paris counts them. */
function dayFromNow(days: number): string {
  const later = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(later);
}

for (const language of JOURNEY_LANGUAGES) {
  const { timeline } = words(language);

  test.describe(`the timeline in ${language}`, () => {
    test.use({ locale: language });

    test('a date gets its recommendation, typed or chosen, which other tabs keep', async ({
      open,
      page,
    }) => {
      const messages = watchConsole(page);
      const advice = (name: 'soon' | 'early') =>
        page.getByRole('main').getByText(timeline.answer[name].title, { exact: true });
      const show = async (date: string) => {
        await page.getByLabel(timeline.planner.field).fill(date);
        await page.getByRole('button', { name: timeline.planner.show }).click();
      };
      await open('/timeline');
      await show('2020-02-29');
      const summary = page.getByRole('alert');
      await expect(summary).toBeFocused();
      await expect(summary).toBeInViewport();
      await expectAccessible(page);

      await show(dayFromNow(7));
      await expect(advice('soon')).toBeVisible();
      await expectAccessible(page);
      const title = page.locator('#month');
      for (let month = 0; month < 4; month += 1) {
        const before = (await title.textContent()) ?? '';
        await page.getByRole('link', { name: timeline.planner.next.split('{{')[0] ?? '' }).click();
        await expect(title).not.toHaveText(before);
      }
      await page.locator('main table button').nth(14).click();
      await expect(page).toHaveURL(/date=\d{4}-\d\d-15/);
      await expect(advice('early')).toBeInViewport();
      await expect(page.locator('td[aria-selected=true]')).toHaveText('15');

      await page.locator('#tab-process').click();
      await expect(page.getByText(timeline.process.authorization.title)).toBeVisible();
      await page.locator('#tab-times').click();
      await expect(page.getByText(timeline.times.examples)).toBeVisible();
      await page.locator('#tab-planner').click();
      await expect(advice('early')).toBeVisible();
      expect(messages).toEqual([]);
    });
  });
}
