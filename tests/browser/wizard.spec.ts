import { DEFAULT_LANGUAGE } from '~/i18n/languages';
import { shippedFixtures } from '../../db/fixtures.server';
import { countryName } from '../fixtures';
import { GOOD_ANSWERS } from '../http/visitor';
import { JOURNEY_LANGUAGES, LOOK_LANGUAGES, rounds } from '../rounds';
import { expect, type Language, test, watchConsole, words } from './site';
import { WizardPage } from './wizard-page';

const opposite = (value: string) => (value === 'yes' ? 'no' : 'yes');
const inLanguage = (language: Language) => ({
  locale: language,
  ...(language !== DEFAULT_LANGUAGE && {
    contextOptions: { reducedMotion: 'no-preference' as const },
  }),
});

test.use({ locale: 'fr' });
let wizard: WizardPage;
let messages: string[];
test.beforeEach(({ page, site, locale }) => {
  wizard = new WizardPage(page, site.origin, locale as Language);
  messages = watchConsole(page);
});
test.afterEach(() => expect(messages).toEqual([]));

for (const language of LOOK_LANGUAGES) {
  const { assessment, eligibility, shell } = words(language);

  test.describe(`the eligibility check in ${language}`, () => {
    test.use(inLanguage(language));

    test('an eligible traveller is led to the result, saves and prints it', async ({
      page,
      site,
    }) => {
      const isAt = (progress: number) =>
        expect(wizard.progress()).toHaveJSProperty('value', progress);
      await wizard.open();
      await isAt(0);
      await expect(wizard.continueButton()).toBeDisabled();
      await wizard.country().fill(countryName('FR', language));
      await wizard.country().press('Enter');
      await isAt(25);
      await wizard.continueButton().click();
      await expect(wizard.heading()).toBeFocused();
      await expect(wizard.heading()).toHaveText(eligibility.questions.title);
      await isAt(25);
      await wizard.answer({ biometric_passport: 'no' });
      await isAt(29);
      await expect(page.getByRole('status')).toHaveText(/.+/);
      await wizard.answer(GOOD_ANSWERS);
      await isAt(75);
      await wizard.continueButton().click();
      await expect(wizard.heading()).toBeFocused();
      await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
      await isAt(100);
      await wizard.homeButton().click();
      await page.waitForURL(`${site.origin}/`);
      await expect(page.getByRole('status')).toContainText(shell.toast.assessmentSaved.title);
      await page.getByRole('link', { name: shell.toast.assessmentSaved.link }).click();
      await expect(wizard.heading()).toHaveText(assessment.saved.title);
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByText(eligibility.result.eligible.label)).toBeVisible();
      await expect(page.getByText(assessment.saved.delete)).toBeHidden();
      await expect(page.getByRole('banner')).toBeHidden();
      await expect(page.getByRole('contentinfo')).toBeHidden();
      const pressed = page.locator('button, .button, .text-button, summary, main form');
      for (const control of await pressed.all()) await expect(control).toBeHidden();
    });
  });
}

for (const language of JOURNEY_LANGUAGES) {
  const { eligibility } = words(language);
  const france = countryName('FR', language);

  test.describe(`the eligibility check in ${language}`, () => {
    test.use(inLanguage(language));

    test('missing answers are listed until they are given, and warned of', async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 700 });
      await wizard.reachQuestions(france);
      const summary = page.getByRole('alert');
      const links = summary.getByRole('link');
      // A second look brings the focus back.
      for (let press = 0; press < 2; press += 1) {
        await wizard.continueButton().click();
        await expect(summary).toBeFocused();
        await wizard.radio('overstay', 'yes').focus();
      }
      const { length } = Object.keys(GOOD_ANSWERS);
      await expect(links).toHaveCount(length);
      const beside = page.locator('fieldset').getByText(eligibility.questions.required);
      await expect(beside).toHaveCount(length);
      expect((await summary.boundingBox())?.height).toBeLessThan(420);
      for (const link of await links.all()) {
        const name = (await link.getAttribute('aria-label')) ?? '';
        const id = (await link.getAttribute('href'))?.slice(1);
        const legend = page.locator(`fieldset:has([id="${id}"]) legend span`).last();
        expect(name).toContain(await legend.textContent());
      }
      const { overstay: _, visa_refusal: __, ...others } = GOOD_ANSWERS;
      await wizard.answer(others);
      await links.last().click();
      await expect(wizard.radio('overstay', 'yes')).toBeInViewport();
      // The list stays: there is another question to go to.
      await expect(links).toHaveCount(2);
      await wizard.answer({ overstay: 'no' });
      await expect(links).toHaveCount(1);
      const left = eligibility.incomplete.open_one.replace('{{count}}', '1');
      await expect(summary).toContainText(left);
      await wizard.answer({ visa_refusal: 'no' });
      await expect(summary).toBeHidden();
      for (const { question_key: key, ...row } of shippedFixtures().eligibility_questions) {
        const { explanation } = row.translations[language] ?? row;
        const good = GOOD_ANSWERS[key] ?? 'no';
        const warning = page.locator('fieldset').getByText(explanation);
        await expect(warning).toBeHidden();
        await wizard.answer({ [key]: opposite(good) });
        await expect(warning).toBeVisible();
        await wizard.answer({ [key]: good });
        await expect(warning).toBeHidden();
      }
      await wizard.continueButton().click();
      await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
    });

    test('a failing database is told, loses nothing and is left behind', async ({ page, site }) => {
      await page.clock.install();
      await wizard.reachQuestions(france);
      await wizard.answer(GOOD_ANSWERS);
      site.execute('alter table eligibility_questions rename to away');
      try {
        await wizard.continueButton().click();
        await expect(page.getByRole('alert')).toContainText(eligibility.failed.description);
      } finally {
        site.execute('alter table away rename to eligibility_questions');
      }
      // It looks again by itself, every five seconds from when React has shown this.
      await expect(async () => {
        await page.clock.fastForward(5000);
        await expect(wizard.heading()).toHaveText(eligibility.questions.title, { timeout: 500 });
      }).toPass();
      await expect(wizard.radio('overstay', 'no')).toBeChecked();
      await wizard.continueButton().click();
      await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
    });
  });
}

test.describe('with movement', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a page that is left early tells of no mistake', async ({ page, site }) => {
    const mistakes: string[] = [];
    page.on('pageerror', ({ message }) => mistakes.push(message));
    for (let round = 0; round < rounds(8, 24); round += 1) {
      const interrupted = () => page.waitForLoadState();
      await page.goto(`${site.origin}/eligibility-check`).catch(interrupted);
      await page.evaluate(() => location.assign('/about')).catch(interrupted);
      await page.goto(`${site.origin}/faq`).catch(interrupted);
    }
    expect(mistakes).toEqual([]);
  });
});
