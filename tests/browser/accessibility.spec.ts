import { countryName } from '../fixtures';
import { GOOD_ANSWERS } from '../http/visitor';
import { LOOK_LANGUAGES } from '../rounds';
import { HYDRATES, PAGES } from '../site-map';
import { becomesInteractive, expect, expectAccessibleInTheDark, expectNarrow, test } from './site';
import { WizardPage } from './wizard-page';

/** Placeholders that are the same screen with another sentence; one of each kind is left. */
const ALIKE = /^\/(application\/(1|new)|application-status|crm\/(?!leads\/assigned))/;

const ADDRESSES = [
  ...PAGES.map(([path]) => path).filter((path) => !ALIKE.test(path)),
  '/timeline?date=tomorrow',
  '/timeline?date=9999-12-31',
  '/nowhere',
  '/landing/unknown',
];

const PARTS = [0, 1, 2];

// That a page reads the same before React has come is in enhancements.spec.ts.
for (const language of LOOK_LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: language });

    test('no screen of the wizard has an axe violation', async ({ page, site }) => {
      const wizard = new WizardPage(page, site.origin, language);
      const look = () => expectAccessibleInTheDark(page);
      await wizard.open();
      await wizard.country().click();
      await look();
      await wizard.country().fill('zzzz');
      await look();
      await wizard.country().press('Escape');
      await wizard.chooseCountry(countryName('FR', language));
      await page.waitForURL(/step=questions/);
      await wizard.hydrated();
      await wizard.continueButton().click();
      await expect(page.getByRole('alert')).toBeVisible();
      await wizard.answer({ ...GOOD_ANSWERS, overstay: 'yes', health_condition: 'yes' });
      await look();
      await wizard.continueButton().click();
      await page.waitForURL(/step=result/);
      await look();
      site.execute('alter table vwp_countries rename to away');
      try {
        await page.goto(`${site.origin}/eligibility-check?step=questions`);
        await expect(page.getByRole('alert')).toBeVisible();
        await look();
      } finally {
        site.execute('alter table away rename to vwp_countries');
      }
      for (const country of ['RO', 'CA']) {
        await wizard.open();
        await wizard.chooseCountry(countryName(country, language));
        await page.waitForURL(/step=result/);
        await look();
      }
      await wizard.homeButton().click();
      await page.waitForURL(`${site.origin}/`);
      await expect(page.getByRole('status')).toBeVisible();
      await page.locator('summary').first().click();
      await look();
      const saved = 'select session_id from eligibility_assessments order by id desc limit 1';
      await page.goto(`${site.origin}/eligibility/${String(site.query(saved)[0]?.['session_id'])}`);
      await page.locator('main summary').click();
      await look();
    });

    for (const part of PARTS) {
      test(`no page has an axe violation or is too wide, ${part + 1}`, async ({ page, site }) => {
        for (const path of ADDRESSES.filter((_, index) => index % PARTS.length === part)) {
          expect((await page.goto(site.origin + path))?.status()).toBeLessThan(500);
          if (HYDRATES.test(path)) await becomesInteractive(page);
          await test.step(path, async () => {
            await page.setViewportSize({ width: 1280, height: 720 });
            await expectAccessibleInTheDark(page);
            await expectNarrow(page);
            if (path !== '/') return;
            const field = await page.locator('main select').boundingBox();
            expect((field?.y ?? Infinity) + (field?.height ?? 0)).toBeLessThanOrEqual(900);
            const length = await page.evaluate(() => document.documentElement.scrollHeight);
            expect(length).toBeLessThanOrEqual(6000);
          });
        }
        if (part > 0) return;
        await page.goto(`${site.origin}/services`);
        await page.locator('header summary').last().click();
        await expectAccessibleInTheDark(page);
      });
    }
  });
}
