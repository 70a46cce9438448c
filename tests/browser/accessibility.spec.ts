import { GOOD_ANSWERS } from '../http/visitor';
import { HYDRATES, PAGES } from '../site-map';
import { becomesInteractive, expect, expectAccessible, LANGUAGES, test } from './site';
import { WizardPage } from './wizard-page';

// axe is a script, so "without" means a page whose own scripts never arrive.
/** A country outside the programme, and one that needs no ESTA. */
const OTHERS = {
  fr: ['Roumanie', 'Canada'],
  en: ['Romania', 'Canada'],
  de: ['Rumänien', 'Kanada'],
};
const COUNTRY = { fr: 'France', en: 'France', de: 'Frankreich' };

for (const language of LANGUAGES) {
  for (const hydrated of [true, false]) {
    test(`no screen of the wizard has an axe violation: ${language}, ${hydrated ? 'after' : 'before'} hydration`, async ({
      browser,
      site,
    }) => {
      const context = await browser.newContext({ locale: language });
      const page = await context.newPage();
      if (!hydrated) await page.route('**/assets/*.js', (route) => route.abort());
      const wizard = new WizardPage(page, site.origin, language, hydrated);

      await wizard.open();
      await expectAccessible(page);
      if (hydrated) {
        await wizard.country().click();
        await expectAccessible(page);
        await wizard.country().fill('zzzz');
        await expectAccessible(page);
        await wizard.country().press('Escape');
      } else {
        await wizard.continueButton().click();
        await expect(page.getByRole('alert')).toBeVisible();
        await expectAccessible(page);
      }
      await wizard.chooseCountry(COUNTRY[language]);
      await page.waitForURL(/step=questions/);
      await wizard.hydrated();
      await expectAccessible(page);
      await wizard.continueButton().click();
      await expect(page.getByRole('alert')).toBeVisible();
      await wizard.answer({ ...GOOD_ANSWERS, overstay: 'yes', health_condition: 'yes' });
      await expectAccessible(page);
      await wizard.continueButton().click();
      await page.waitForURL(/step=result/);
      await expectAccessible(page);
      site.execute('alter table vwp_countries rename to away');
      try {
        await page.goto(`${site.origin}/eligibility-check?step=questions`);
        await expect(page.getByRole('alert')).toBeVisible();
        await expectAccessible(page);
      } finally {
        site.execute('alter table away rename to vwp_countries');
      }
      for (const country of OTHERS[language]) {
        await wizard.open();
        await wizard.chooseCountry(country);
        await page.waitForURL(/step=result/);
        await expectAccessible(page);
      }
      await wizard.homeButton().click();
      await page.waitForURL(`${site.origin}/`);
      await expectAccessible(page);
      await page.goto(`${site.origin}/`);
      await page.locator('summary').first().click();
      await expectAccessible(page);
      await page.goto(`${site.origin}${savedAddress()}`);
      await page.locator('main summary').click();
      await expectAccessible(page);
      await page.goto(`${site.origin}/nowhere`);
      await expectAccessible(page);
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

const ADDRESSES = [
  ...PAGES.map(([path]) => path),
  ...[2, 3, 4, 5].map((step) => `/application-guide?step=${step}`),
  '/timeline?date=tomorrow',
  '/timeline?date=9999-12-31',
  '/nowhere',
  '/landing/unknown',
];

for (const language of LANGUAGES) {
  for (const hydrated of [true, false]) {
    test(`no page has an axe violation: ${language}, ${hydrated ? 'after' : 'before'} hydration`, async ({
      browser,
      site,
    }) => {
      test.setTimeout(180_000);
      const context = await browser.newContext({ locale: language });
      const page = await context.newPage();
      if (!hydrated) await page.route('**/assets/*.js', (route) => route.abort());
      for (const path of ADDRESSES) {
        // A page that loads no React is the same in both runs.
        if (!hydrated && !HYDRATES.test(path)) continue;
        const response = await page.goto(site.origin + path);
        expect(response?.status()).toBeLessThan(500);
        if (hydrated && HYDRATES.test(path)) await becomesInteractive(page);
        await test.step(path, () => expectAccessible(page));
      }
      await page.setViewportSize({ width: 320, height: 800 });
      await page.goto(`${site.origin}/services`);
      await page.locator('header summary').last().click();
      await expectAccessible(page);
      await context.close();
    });
  }
}
