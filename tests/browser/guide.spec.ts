import { JOURNEY_LANGUAGES } from '../rounds';
import { expect, test, watchConsole, words } from './site';

for (const language of JOURNEY_LANGUAGES) {
  const { guide } = words(language);

  test.describe(`the guide in ${language}`, () => {
    test.use({ locale: language });

    test('is read step by step, also with the browser’s buttons, and printed whole', async ({
      open,
      page,
      site,
    }) => {
      const messages = watchConsole(page);
      await open('/application-guide');
      const heading = page.locator('main h2:visible').first();
      const seen = [await heading.innerText()];
      for (const step of [2, 3, 4, 5, 6]) {
        await page.getByRole('link', { name: guide.steps.next, exact: true }).click();
        await expect(page).toHaveURL(new RegExp(`step=${step}`));
        await expect(heading).not.toHaveText(seen.at(-1) ?? '');
        await expect(heading).toBeFocused();
        seen.push(await heading.innerText());
      }
      await page.getByRole('link', { name: guide.steps.previous, exact: true }).click();
      await expect(heading).toHaveText(seen[4] ?? '');
      await page.reload();
      await expect(heading).toHaveText(seen[4] ?? '');
      await page.goBack();
      await expect(page).toHaveURL(/step=6/);
      await expect(heading).toHaveText(seen[5] ?? '');
      expect(messages).toEqual([]);

      await page.goto(`${site.origin}/application-guide?tab=tips`);
      await page.emulateMedia({ media: 'print' });
      await expect(page.locator('article h2:visible')).toHaveCount(6);
      await expect(page.getByRole('heading', { name: guide.tips.title })).toBeVisible();
      await expect(page.getByRole('heading', { name: guide.resources.title })).toBeVisible();
      // With the addresses of its links.
      await expect(page.getByText('(https://www.dhs.gov/e-passports)').first()).toBeVisible();
      await expect(page.getByRole('navigation')).toHaveCount(0);
    });
  });
}
