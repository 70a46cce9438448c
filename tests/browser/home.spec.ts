import { countryName } from '../fixtures';
import { JOURNEY_LANGUAGES, LOOK_LANGUAGES } from '../rounds';
import { expect, test, words } from './site';

for (const language of LOOK_LANGUAGES) {
  test.describe(`the home page in ${language} on a small phone`, () => {
    test.use({ locale: language, viewport: { width: 320, height: 640 } });

    test('asks its question early, and comes to an end', async ({ page, site }) => {
      await page.goto(site.origin);
      const field = await page.locator('main select').boundingBox();
      expect((field?.y ?? Infinity) + (field?.height ?? 0)).toBeLessThanOrEqual(900);
      const length = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(length).toBeLessThanOrEqual(6000);
    });
  });
}

for (const language of JOURNEY_LANGUAGES) {
  const { home, eligibility } = words(language);

  test.describe(`the home page in ${language}`, () => {
    test.use({ locale: language });

    test('is the first step of the check: the questions come next', async ({ page, site }) => {
      await page.goto(site.origin);
      await page
        .getByLabel(home.hero.question)
        .selectOption({ label: countryName('FR', language) });
      await page.getByRole('button', { name: home.start }).click();
      await expect(page).toHaveURL(`${site.origin}/eligibility-check?step=questions`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(eligibility.questions.title);
    });
  });
}
