import { GOOD_ANSWERS } from '../http/visitor';
import { LONG } from '../rounds';
import { HYDRATES, PAGES } from '../site-map';
import {
  becomesInteractive,
  expect,
  expectAccessible,
  expectNarrow,
  type Language,
  LANGUAGES,
  test,
} from './site';
import { countryName } from '../fixtures';
import { WizardPage } from './wizard-page';

// axe is a script, so "before" means a page whose own scripts never arrive.
/**
 * Whether to look at the screens of a language, with React in them or before. German has the longest
 * words, English the words of whoever has no translation; French is looked at within its journeys.
 */
const looksAt = (language: Language, hydrated: boolean) =>
  LONG || language === 'de' || (language === 'en' && hydrated);

/** Every page is looked at in both schemes, the one in German, the other in English. */
const schemeOf = (language: Language) => (language === 'en' ? 'dark' : 'light');
/** German has said of each page what there is to say of its markup. */
const whatOf = (language: Language) =>
  LONG || language === 'de' ? 'everything' : 'colours and language';

for (const language of LANGUAGES) {
  for (const hydrated of [true, false].filter((value) => looksAt(language, value))) {
    test(`no screen of the wizard has an axe violation: ${language}, ${hydrated ? 'after' : 'before'} hydration`, async ({
      browser,
      site,
    }) => {
      const context = await browser.newContext({
        locale: language,
        colorScheme: schemeOf(language),
      });
      const page = await context.newPage();
      if (!hydrated) await page.route('**/assets/*.js', (route) => route.abort());
      const wizard = new WizardPage(page, site.origin, language, hydrated);

      await wizard.open();
      await expectAccessible(page, whatOf(language));
      if (hydrated) {
        await wizard.country().click();
        await expectAccessible(page, whatOf(language));
        await wizard.country().fill('zzzz');
        await expectAccessible(page, whatOf(language));
        await wizard.country().press('Escape');
      } else {
        await wizard.continueButton().click();
        await expect(page.getByRole('alert')).toBeVisible();
        await expectAccessible(page, whatOf(language));
      }
      await wizard.chooseCountry(countryName('FR', language));
      await page.waitForURL(/step=questions/);
      await wizard.hydrated();
      await expectAccessible(page, whatOf(language));
      await wizard.continueButton().click();
      await expect(page.getByRole('alert')).toBeVisible();
      await wizard.answer({ ...GOOD_ANSWERS, overstay: 'yes', health_condition: 'yes' });
      await expectAccessible(page, whatOf(language));
      await wizard.continueButton().click();
      await page.waitForURL(/step=result/);
      await expectAccessible(page, whatOf(language));
      site.execute('alter table vwp_countries rename to away');
      try {
        await page.goto(`${site.origin}/eligibility-check?step=questions`);
        await expect(page.getByRole('alert')).toBeVisible();
        await expectAccessible(page, whatOf(language));
      } finally {
        site.execute('alter table away rename to vwp_countries');
      }
      // One outside the programme, and one whose citizens need no ESTA.
      for (const country of ['RO', 'CA']) {
        await wizard.open();
        await wizard.chooseCountry(countryName(country, language));
        await page.waitForURL(/step=result/);
        await expectAccessible(page, whatOf(language));
      }
      // What follows loads no React, and is the same in both runs.
      if (!hydrated && !LONG) return context.close();
      await wizard.homeButton().click();
      await page.waitForURL(`${site.origin}/`);
      await expectAccessible(page, whatOf(language));
      await page.goto(`${site.origin}/`);
      await page.locator('summary').first().click();
      await expectAccessible(page, whatOf(language));
      await page.goto(`${site.origin}${savedAddress()}`);
      await page.locator('main summary').click();
      await expectAccessible(page, whatOf(language));
      await page.goto(`${site.origin}/nowhere`);
      await expectAccessible(page, whatOf(language));
      await context.close();

      function savedAddress() {
        const [row] = site.query(
          'select session_id from eligibility_assessments order by id desc limit 1',
        );
        return `/eligibility/${String(row?.['session_id'])}`;
      }
    });
  }
}

/** Placeholders that are the same screen with another sentence; one of each kind is left. */
const ALIKE = /^\/(application\/(1|new)|application-status|crm\/(?!leads\/assigned))/;

const ADDRESSES = [
  ...PAGES.map(([path]) => path).filter((path) => LONG || !ALIKE.test(path)),
  // The same screen as the first and the sixth, with other sentences.
  ...(LONG ? [2, 3, 4, 5] : []).map((step) => `/application-guide?step=${step}`),
  '/timeline?date=tomorrow',
  '/timeline?date=9999-12-31',
  '/nowhere',
  '/landing/unknown',
];

/** Whether a page stands for its other views, which have less in them before React comes. */
const isFull = (path: string) => LONG || !/tab=|step=/.test(path);

/** Both workers have a part of them. */
const PARTS = [0, 1, 2];

for (const language of LANGUAGES) {
  for (const hydrated of [true, false].filter((value) => looksAt(language, value))) {
    // A page that loads no React is the same in both runs.
    const addresses = ADDRESSES.filter((path) => hydrated || (HYDRATES.test(path) && isFull(path)));
    for (const part of PARTS) {
      test(`no page has an axe violation or is wider than a narrow screen: ${language}, ${hydrated ? 'after' : 'before'} hydration, part ${part + 1}`, async ({
        browser,
        site,
      }) => {
        test.setTimeout(180_000);
        const context = await browser.newContext({
          locale: language,
          colorScheme: schemeOf(language),
        });
        const page = await context.newPage();
        if (!hydrated) await page.route('**/assets/*.js', (route) => route.abort());
        for (const path of addresses.filter((_, index) => index % PARTS.length === part)) {
          const response = await page.goto(site.origin + path);
          expect(response?.status()).toBeLessThan(500);
          if (hydrated && HYDRATES.test(path)) await becomesInteractive(page);
          await test.step(path, async () => {
            await page.setViewportSize({ width: 1280, height: 720 });
            await expectAccessible(page, whatOf(language));
            await expectNarrow(page);
          });
        }
        if (part === 0) {
          await page.goto(`${site.origin}/services`);
          await page.locator('header summary').last().click();
          await expectAccessible(page, whatOf(language));
        }
        await context.close();
      });
    }
  }
}
