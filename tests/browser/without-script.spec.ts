import { countryName } from '../fixtures';
import { GOOD_ANSWERS } from '../http/visitor';
import { JOURNEY_LANGUAGES, LONG } from '../rounds';
import { expect, expectNarrow, test, watchConsole, words } from './site';

/* What `npm test` tells over HTTP, once more in a browser without a script: in the long run. */

for (const language of LONG ? JOURNEY_LANGUAGES : []) {
  const { eligibility, guide, shell, timeline } = words(language);

  test.describe(`without a script in ${language}`, () => {
    test.use({ locale: language, javaScriptEnabled: false });
    let messages: string[];
    test.beforeEach(({ page }) => (messages = watchConsole(page)));
    test.afterEach(() => expect(messages).toEqual([]));

    test('the eligibility check leads to a saved result, also after a mistake', async ({
      open,
      page,
    }) => {
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const { actions, country, incomplete, questions, result } = eligibility;
      await open('/eligibility-check');
      await press(actions.continue);
      await expect(page.getByRole('alert')).toContainText(country.required);
      await page.getByLabel(country.label).selectOption(countryName('FR', language));
      await press(actions.continue);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(questions.title);
      for (const [key, value] of Object.entries(GOOD_ANSWERS).slice(1)) {
        await page.locator(`#${key}-${value}`).check();
      }
      await press(actions.continue);
      await expect(page.getByRole('alert')).toContainText(incomplete.description);
      await expectNarrow(page);
      const [[key, value] = ['', '']] = Object.entries(GOOD_ANSWERS);
      await page.locator(`#${key}-${value}`).check();
      await press(actions.continue);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(result.eligible.title);
      await press(actions.returnHome);
      await expect(page.getByRole('status')).toContainText(shell.toast.assessmentSaved.title);
    });

    test('the guide is read step by step, and the tips are printed with it', async ({
      open,
      page,
    }) => {
      await open('/application-guide');
      for (const step of [2, 3, 4, 5, 6]) {
        await page.getByRole('link', { name: guide.steps.next, exact: true }).click();
        await expect(page).toHaveURL(new RegExp(`step=${step}`));
      }
      await page.goBack();
      await expect(page).toHaveURL(/step=5/);
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByRole('heading', { name: guide.tips.title })).toBeVisible();
    });

    test('a date of travel is typed, refused and taken', async ({ open, page }) => {
      const show = async (date: string) => {
        await page.getByLabel(timeline.planner.field).fill(date);
        await page.getByRole('button', { name: timeline.planner.show }).click();
      };
      await open('/timeline');
      await show('2020-02-29');
      await expect(page.getByRole('alert')).toBeVisible();
      await show('2099-12-01');
      await expect(page).toHaveURL(/date=2099-12-01/);
      await expect(page.getByText(timeline.answer.early.title, { exact: true })).toBeVisible();
      await expectNarrow(page);
    });
  });
}
