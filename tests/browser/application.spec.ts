import type { Page } from '@playwright/test';

import { applicationPath, sampleAnswers, sendAnswers, STATEMENTS } from '../http/application';
import { plain } from '../http/html';
import { HtmlBrowser } from '../http/html-browser';
import { jpeg } from '../photos';
import { HYDRATES } from '../site-map';
import { JOURNEY_LANGUAGES, LONG, LOOK_LANGUAGES } from '../rounds';
import { ApplicationPage } from './application-page';
import {
  becomesInteractive,
  expect,
  expectRefused,
  look,
  setCookie,
  test,
  watchConsole,
  waysIn,
  words,
} from './site';

const NEW = '/application/new/step-1';

test.use({ locale: 'fr', siteWith: { variables: { OFFLINE_MODE: 'false' } } });

const send = (page: Page) => page.locator('#page-form [value=continue]').click();

/** A passport number as somebody mistypes it: with the letter O. */
const MISTYPED = { passport_number: 'C01XO0T47', passport_number_confirm: 'C01XO0T47' };
const { photo_later: _, ...SIGNED } = STATEMENTS;
const CERTIFIED = {
  photo_later: 'yes',
  ...SIGNED,
  completed_by: 'other',
  completed_by_name: 'Jörg Becker',
  completed_by_relation: 'partner',
  signature_name: 'Jörg Becker',
};

const TELEPHONE = { width: 320, height: 568 };
/** A screen that is magnified four times (WCAG 2.2, 1.4.10). */
const MAGNIFIED = { width: 320, height: 256 };

for (const { language, name, use } of waysIn(JOURNEY_LANGUAGES)) {
  test.describe(`an application, in ${name}, by keyboard`, () => {
    test.use(use);

    test('goes from the first step to the certification', async ({
      javaScriptEnabled,
      page,
      site,
    }) => {
      const messages = watchConsole(page);
      const own = new ApplicationPage(page, language);
      await page.setViewportSize(TELEPHONE);
      const { words, heading, main } = own;
      const { application } = words;
      const form = words['application-fields'];
      const check = words['application-check'];
      const isAt = async (step: keyof typeof form.steps) => {
        await expect(heading()).toHaveText(plain(form.steps[step].title));
      };
      const { other_citizenships: citizenships } = form.fields;
      const goOn = () => own.press(application.continue);
      const pass = async (step: keyof typeof form.steps, number: number) => {
        await isAt(step);
        await own.fill(sampleAnswers(number));
        await goOn();
      };

      await page.goto(site.origin + NEW);
      await isAt('applicant-information');
      await expect(main().locator(':invalid, [aria-invalid]')).toHaveCount(0);
      await own.fill(sampleAnswers(1, { email: 'anna@@example', first_name: '' }));
      await goOn();
      await expectRefused(page);
      const email = own.control('email');
      await expect(email).toHaveAccessibleDescription(new RegExp(plain(form.errors.email)));
      await expect(page.locator('#email-error')).toBeVisible();
      const named = application.named.replace('{{label}}', form.fields.email.label);
      await own.follow(`${named} ${form.errors.email}`);
      await expect(email).toBeFocused();
      await own.fill(sampleAnswers(1));
      await goOn();
      await isAt('passport-information');
      await isAt('passport-information');
      await own.fill(sampleAnswers(2, MISTYPED));
      const opened = page.waitForEvent('popup');
      await own.follow(application.photo.link);
      await addPhoto(own.in(await opened));
      await expect(own.control('passport_number')).toHaveValue(MISTYPED.passport_number);
      await goOn();

      await isAt('personal-information');
      const { text } = form.warnings.passportLetterO;
      await expect(page.getByRole('region').filter({ hasText: plain(text) })).toBeInViewport();
      await own.fill(sampleAnswers(3, { parent2_first_name: undefined }));
      const mother = own.control('parent2_first_name');
      if (javaScriptEnabled) {
        await own.press(`${application.notKnown}, ${form.fields.parent2_first_name.label}`);
      } else await mother.fill('UNKNOWN');
      await expect(mother).toHaveValue('UNKNOWN');
      await own.press(citizenships.another);
      const second = page.locator('[name="other_citizenships[1].country"]');
      await expect(second).toBeFocused();
      await expect(second).toBeInViewport();
      await own.press(citizenships.remove.replace('{{number}}', '2'));
      await expect(second).toHaveCount(0);
      await goOn();

      await page.setViewportSize(MAGNIFIED);
      await pass('social-media', 4);
      await isAt('employment');
      const employer = page.locator('[name=employer_name]');
      await expect(employer).toBeHidden();
      await own.fill({ has_employer: 'no' });
      await expect(employer).toBeHidden();
      await own.fill(sampleAnswers(5));
      await expect(employer).toBeVisible();
      await goOn();
      await pass('travel-information', 6);
      await pass('eligibility', 7);
      // The portrait may come later.
      const photo = words['application-photo'];
      await expect(heading()).toHaveText(plain(photo.portrait.title));
      await own.follow(photo.back.later);

      await expect(heading()).toHaveText(plain(check.title));
      const { work } = check.groups;
      await own.follow(check.change + check.changeWhat.replace('{{label}}', work));
      await isAt('employment');
      await own.fill({ job_title: 'Chefin' });
      await goOn();
      await expect(heading()).toHaveText(plain(check.title));
      await expect(page.locator('#changed')).toBeFocused();
      await expect(page.locator('#changed')).toContainText('Chefin');
      await own.press(check.certify.button);
      await expectRefused(page);
      await expect(own.control('completed_by_name')).toBeHidden();
      await own.fill(CERTIFIED);
      await own.press(check.certify.button);

      await expect(heading()).toHaveText(plain(words['order-payment'].title));
      expect(messages).toEqual([]);
    });
  });
}

async function addPhoto(own: ApplicationPage): Promise<void> {
  const { page, heading } = own;
  const messages = watchConsole(page);
  const photo = own.words['application-photo'];
  await expect(heading()).toHaveText(plain(photo.passport_photo.title));
  const opened = page.waitForEvent('filechooser');
  await own.openFiles('photo');
  await (await opened).setFiles({ name: 'Pass.jpg', mimeType: 'image/jpeg', buffer: jpeg() });
  await own.press(photo.upload);
  await expect(page.getByRole('heading', { name: plain(photo.kept.title) })).toBeVisible();
  await expect(page.getByRole('status').first()).toBeInViewport();
  expect(messages).toEqual([]);
  await page.close();
}

for (const language of LOOK_LANGUAGES) {
  test.describe(`the screens of an application, in ${language}`, () => {
    test.use({ locale: language });

    test('have no axe violation and are not too wide, at their fullest', async ({ page, site }) => {
      const messages = watchConsole(page);
      const see = (what: string) => look(page, what, { isWalked: LONG });
      const open = (address: string) => page.goto(site.origin + address);
      const go = async (address: string) => {
        await open(address);
        await see(address);
      };
      const refused = async () => {
        await send(page);
        await expect(page.getByRole('alert')).toBeVisible();
      };
      const reader = await HtmlBrowser.open(site.origin, NEW, language);
      const email = `${language}@example.eu`;
      for (const number of [1, 2, 3, 4, 5, 6, 7]) {
        const changes = { 1: { email }, 2: MISTYPED, 7: { q_overstay: 'yes' } }[number] ?? {};
        await sendAnswers(reader, sampleAnswers(number, changes));
      }
      await setCookie(page.context(), site, 'draft', reader.visitor.cookie('draft'));
      const path = applicationPath(reader);
      for (const number of [1, 2, 3, 4, 5, 6, 7]) {
        await open(`${path}/step-${number}`);
        await page.locator('#page-form').evaluate((form: HTMLFormElement) => {
          for (const control of form.querySelectorAll<HTMLInputElement>('input, textarea')) {
            if (control.type === 'checkbox') control.checked = false;
            else if (control.classList.contains('field')) control.value = '';
          }
        });
        await refused();
        await see(`step ${number}, filled in and refused`);
      }

      await open(`${path}/step-8`);
      await refused();
      await page.locator('[name=completed_by]').check();
      await see('not certified');
      await open(`${path}/passport-photo`);
      const upload = page.locator('[value=upload]');
      await expect(upload).toBeHidden();
      await page.locator('#photo-form').evaluate((form: HTMLFormElement) => form.submit());
      await expect(page.getByRole('alert')).toBeVisible();
      await see('no photo');
      const file = { name: 'Pass.jpg', mimeType: 'image/jpeg', buffer: jpeg() };
      await page.locator('[name=taken]').setInputFiles(file);
      await upload.click();
      await expect(page.getByRole('status').first()).toBeVisible();
      await go(`${path}/overview`);
      await go('/application-status');
      await go(`${path}/border`);
      await open('/application/status');
      await page.locator('#page-form button').click();
      await expect(page.getByRole('alert')).toBeVisible();
      await see('no reference');

      await reader.go(`${path}/step-2?return=check`);
      await sendAnswers(reader, sampleAnswers(2, { passport_is_electronic: 'no' }));
      await go(`${path}/step-8`);
      await reader.go(`${path}/step-2?return=check`);
      await sendAnswers(reader, sampleAnswers(2), 'later');
      const mailed = page.locator('a[href^="/application/resume?"]');
      await expect(async () => {
        await open(`/outbox?to=${email}`);
        await expect(mailed).toHaveCount(1, { timeout: 500 });
      }).toPass();
      await mailed.click();
      await page.locator('#page-form button').click();
      await expect(page.getByRole('alert')).toBeVisible();
      await see('no date of birth');

      await reader.go(`${path}/step-8`);
      await sendAnswers(reader, CERTIFIED);
      await go(`${path}/step-8`);
      expect(messages).toEqual([]);
    });
  });
}

test('Back after a mistake leads to the form', async ({ page, site }) => {
  const { application, auth, contact, 'order-withdrawal': withdrawal } = words('fr');
  const heading = page.getByRole('heading', { level: 1 });
  for (const [address, button] of [
    [NEW, application.continue],
    ['/contact', contact.send],
    ['/auth', auth.signIn.button],
    ['/withdrawal', withdrawal.button],
  ] as const) {
    await page.goto(site.origin + address);
    if (HYDRATES.test(address)) await becomesInteractive(page);
    const title = (await heading.textContent()) ?? '';
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click();
    await expect(page.getByRole('alert').first()).toBeVisible();
    await page.goto(`${site.origin}/privacy`);
    await expect(heading).not.toHaveText(title);
    await page.goBack();
    await expect(heading).toHaveText(title);
  }
});
