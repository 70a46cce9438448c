import { JOURNEY_LANGUAGES } from '../rounds';
import { expect, test, watchConsole, words } from './site';

for (const language of JOURNEY_LANGUAGES) {
  const { guide } = words(language);

  test.describe(`the guide in ${language}`, () => {
    test.use({ locale: language });

    test('is read step by step, back and forth', async ({ open, page, javaScriptEnabled }) => {
      const messages = watchConsole(page);
      await open('/application-guide');
      const heading = page.locator('main h2:visible').first();
      const first = await heading.textContent();
      await expect(page.getByRole('link', { name: guide.steps.previous })).toHaveCount(0);
      for (const step of [2, 3, 4, 5, 6]) {
        await page.getByRole('link', { name: guide.steps.next, exact: true }).click();
        await expect(page).toHaveURL(new RegExp(`step=${step}`));
        await expect(heading).not.toHaveText(first ?? '');
        await expect(page.locator('[aria-current=step]')).toContainText(guide.steps.current);
        await expect(page.locator('main li', { hasText: guide.steps.completed })).toHaveCount(
          step - 1,
        );
        if (javaScriptEnabled) await expect(heading).toBeFocused();
      }
      await expect(page.getByRole('link', { name: guide.steps.next, exact: true })).toHaveCount(0);
      const sixth = await heading.textContent();
      await page.getByRole('link', { name: guide.steps.previous, exact: true }).click();
      await expect(page).toHaveURL(/step=5/);
      await expect(heading).not.toHaveText(sixth ?? '');
      const fifth = await heading.textContent();
      await page.reload();
      await expect(heading).toHaveText(fifth ?? '');
      await page.goBack();
      await expect(page).toHaveURL(/step=6/);
      await expect(heading).not.toHaveText(fifth ?? '');
      expect(messages).toEqual([]);
    });

    test('is printed whole, with the addresses of its links', async ({ page, site }) => {
      await page.goto(`${site.origin}/application-guide?tab=tips`);
      await page.emulateMedia({ media: 'print' });
      await expect(page.locator('article h2:visible')).toHaveCount(6);
      await expect(page.getByRole('heading', { name: guide.tips.title })).toBeVisible();
      await expect(page.getByRole('heading', { name: guide.resources.title })).toBeVisible();
      await expect(page.getByText('(https://www.dhs.gov/e-passports)').first()).toBeVisible();
      await expect(page.getByRole('navigation')).toHaveCount(0);
    });
  });
}
