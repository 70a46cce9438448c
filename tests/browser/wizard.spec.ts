import { DEFAULT_LANGUAGE } from '~/i18n/languages';
import { shippedFixtures } from '../../db/fixtures.server';
import { countryName, OUTCOMES_OF_ANSWERS } from '../fixtures';
import { GOOD_ANSWERS } from '../http/visitor';
import { startSite } from '../production-server';
import { JOURNEY_LANGUAGES, LONG, LOOK_LANGUAGES } from '../rounds';
import { expect, expectAccessible, test, watchConsole, words } from './site';
import { WizardPage } from './wizard-page';

/** The shipped name of the site. */
const SITE_NAME = 'Traversée';

/** One of each kind; the results of all are read over HTTP (tests/http/journeys.test.ts). */
const IN_THE_BROWSER = ['health_condition', 'overstay'];

const opposite = (value: string) => (value === 'yes' ? 'no' : 'yes');

for (const language of new Set([...JOURNEY_LANGUAGES, ...LOOK_LANGUAGES])) {
  const { assessment, eligibility, shell } = words(language);
  // In the other languages the browser makes the first of these journeys alone.
  const inFull = JOURNEY_LANGUAGES.includes(language);

  test.describe(`the eligibility check in ${language}`, () => {
    test.use({
      locale: language,
      ...(language !== DEFAULT_LANGUAGE && {
        contextOptions: { reducedMotion: 'no-preference' as const },
      }),
    });
    let wizard: WizardPage;
    let messages: string[];

    test.beforeEach(({ page, site, javaScriptEnabled }) => {
      wizard = new WizardPage(page, site.origin, language, javaScriptEnabled);
      messages = watchConsole(page);
    });
    test.afterEach(() => expect(messages).toEqual([]));

    test('an eligible traveller reads the result and saves it', async ({ page, site }) => {
      test.skip(!wizard.hasScript && !inFull, 'made over HTTP: tests/http/journeys.test.ts');
      await wizard.open();
      await expect(page).toHaveTitle(
        `${eligibility.country.title.replaceAll('\u00ad', '')} – ${SITE_NAME}`,
      );
      await expect(wizard.progress()).toHaveJSProperty('value', 0);
      await wizard.reachResult(countryName('FR', language));
      await expect(wizard.progress()).toHaveJSProperty('value', 100);
      await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
      const link = (name: string) => page.getByRole('link', { name });
      await expect(link(eligibility.result.documents)).toHaveAttribute('href', '/documents');
      await expect(link(eligibility.result.guide)).toHaveAttribute('href', '/application-guide');
      await wizard.homeButton().click();
      await page.waitForURL(`${site.origin}/`);
      await expect(page.getByRole('status')).toContainText(shell.toast.assessmentSaved.title);
      await link(shell.toast.assessmentSaved.link).click();
      await expect(wizard.heading()).toHaveText(assessment.saved.title);
      await expect(page.getByText(eligibility.result.eligible.label)).toBeVisible();
      // On paper: the result and what follows from it, without the parts that only a screen needs.
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByText(eligibility.result.eligible.label)).toBeVisible();
      await expect(page.getByText(assessment.saved.delete)).toBeHidden();
      await expect(page.getByRole('banner')).toBeHidden();
      await expect(page.getByRole('contentinfo')).toBeHidden();
      const pressed = page.locator('button, .button, .text-button, summary, main form');
      for (const control of await pressed.all()) await expect(control).toBeHidden();
      await page.emulateMedia({ media: null });
      const sessionId = page.url().split('/').at(-1);
      expect(
        site.query('select * from eligibility_assessments where session_id = ?', sessionId),
      ).toMatchObject([{ country_code: 'FR', is_eligible: 1, language_code: language }]);
    });

    if (!inFull) return;

    test('each answer that speaks against an ESTA is warned of and leads to its result', async ({
      page,
    }) => {
      const { eligibility_questions } = shippedFixtures();
      const explanations = new Map(
        eligibility_questions.map((question) => [
          question.question_key,
          (question.translations[language] ?? question).explanation,
        ]),
      );
      await wizard.reachQuestions(countryName('FR', language));
      await wizard.answer(GOOD_ANSWERS);
      for (const [key, outcome] of Object.entries(OUTCOMES_OF_ANSWERS)) {
        const good = GOOD_ANSWERS[key] ?? 'no';
        const warning = page.locator('fieldset').getByText(explanations.get(key) ?? '');
        await expect(warning).toBeHidden();
        await wizard.answer({ [key]: opposite(good) });
        await expect(warning).toBeVisible();
        if (LONG || IN_THE_BROWSER.includes(key)) {
          await wizard.continueButton().click();
          await expect(wizard.heading()).toHaveText(eligibility.result[outcome].title);
          const factors = page.getByRole('listitem').filter({ hasText: eligibility.result.rule });
          await expect(factors).toHaveCount(1);
          await expect(factors).toContainText(explanations.get(key) ?? '');
          await expect(
            page.getByRole('link', { name: eligibility.result.contact }),
          ).toHaveAttribute('href', '/contact');
          await wizard.backButton().click();
          await page.waitForURL(/step=questions/);
          await wizard.hydrated();
          await expect(wizard.radio(key, opposite(good))).toBeChecked();
        }
        await wizard.answer({ [key]: good });
        await expect(warning).toBeHidden();
      }
    });

    test('all answers missing fit half a small screen, with a way to each', async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 700 });
      await wizard.reachQuestions(countryName('FR', language));
      await wizard.continueButton().click();
      const links = page.getByRole('alert').getByRole('link');
      await expect(links).toHaveCount(Object.keys(GOOD_ANSWERS).length);
      const box = await page.getByRole('alert').boundingBox();
      expect(box?.height).toBeLessThan(420);
      for (const link of await links.all()) {
        const name = (await link.getAttribute('aria-label')) ?? '';
        const target = page.locator(
          `fieldset:has([id="${(await link.getAttribute('href'))?.slice(1)}"])`,
        );
        const text = await target.locator('legend span').last().textContent();
        expect(name).toContain(text);
      }
    });

    test('missing answers are listed with a way to each, and nothing is lost', async ({ page }) => {
      await wizard.reachQuestions(countryName('FR', language));
      const { overstay: _, visa_refusal: __, ...others } = GOOD_ANSWERS;
      await wizard.answer(others);
      await wizard.continueButton().click();
      const summary = page.getByRole('alert');
      await expect(summary).toContainText(eligibility.incomplete.title);
      await expect(summary).toContainText(eligibility.incomplete.description);
      const prefix = shell.title.error.replace('{{title}}', '');
      await expect(page).toHaveTitle(`${prefix}${eligibility.questions.title} – ${SITE_NAME}`);
      await expect(summary).toBeFocused();
      const beside = page.locator('fieldset').getByText(eligibility.questions.required);
      await expect(beside).toHaveCount(2);
      await expect(wizard.radio('health_condition', 'no')).toBeChecked();
      await summary.getByRole('link').last().click();
      await expect(wizard.radio('overstay', 'yes')).toBeInViewport();
      // The list stays: there is another question to go to.
      await expect(summary.getByRole('link')).toHaveCount(2);
      await expect(beside).toHaveCount(2);
      await wizard.answer({ overstay: 'no' });
      // With a script what has been answered leaves the list.
      await expect(summary.getByRole('link')).toHaveCount(wizard.hasScript ? 1 : 2);
      if (wizard.hasScript) {
        const left = eligibility.incomplete.open_one.replace('{{count}}', '1');
        await expect(summary).toContainText(left);
      }
      await wizard.answer({ visa_refusal: 'no' });
      if (wizard.hasScript) await expect(summary).toBeHidden();
      await wizard.continueButton().click();
      await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
    });

    test('Back, the browser’s own buttons, refresh and a second tab lose nothing', async ({
      page,
      context,
      site,
    }) => {
      await wizard.reachResult(countryName('FR', language), { overstay: 'yes' });
      await page.reload();
      await expect(wizard.heading()).toHaveText(eligibility.result.not_eligible.title);
      await page.goBack();
      await wizard.hydrated();
      await expect(wizard.heading()).toHaveText(eligibility.questions.title);
      await expect(wizard.radio('overstay', 'yes')).toBeChecked();
      await page.goForward();
      await expect(wizard.heading()).toHaveText(eligibility.result.not_eligible.title);

      const tab = new WizardPage(await context.newPage(), site.origin, language, wizard.hasScript);
      await tab.open('questions');
      await expect(tab.radio('overstay', 'yes')).toBeChecked();
      await tab.answer({ overstay: 'no' });
      await tab.backButton().click();
      await tab.page.waitForURL(/step=country/);
      await tab.hydrated();
      await tab.continueButton().click();
      await tab.page.waitForURL(/step=questions/);
      await expect(tab.radio('overstay', 'no')).toBeChecked();

      // Back has cleared the result, in every tab.
      await page.reload();
      await expect(page).toHaveURL(/step=questions/);
      await expect(wizard.radio('overstay', 'no')).toBeChecked();
    });

    test('a failing database is told, loses nothing and is left behind', async ({ page }) => {
      const own = await startSite();
      wizard = new WizardPage(page, own.origin, language, wizard.hasScript);
      if (wizard.hasScript) await page.clock.install();
      try {
        await wizard.reachQuestions(countryName('FR', language));
        await wizard.answer(GOOD_ANSWERS);
        own.execute('alter table eligibility_questions rename to away');
        await wizard.continueButton().click();
        await expect(page.getByRole('alert')).toContainText(eligibility.failed.description);
        await expectAccessible(page);
        own.execute('alter table away rename to eligibility_questions');
        if (wizard.hasScript) {
          // It looks again by itself, every five seconds.
          await page.clock.fastForward(5000);
          await expect(wizard.heading()).toHaveText(eligibility.questions.title);
        } else {
          await page.getByRole('link', { name: eligibility.actions.tryAgain }).click();
        }
        await expect(wizard.radio('overstay', 'no')).toBeChecked();
        await wizard.continueButton().click();
        await expect(wizard.heading()).toHaveText(eligibility.result.eligible.title);
      } finally {
        await own.stop();
      }
    });
  });
}
