import type { Page } from '@playwright/test';

import { fillApplication, sendAnswers, STATEMENTS } from '../http/application';
import { plain } from '../http/html';
import { HtmlBrowser } from '../http/html-browser';
import { startStripe, type Stripe } from '../payments';
import { type Site, startSite } from '../production-server';
import { JOURNEY_LANGUAGES, LOOK_LANGUAGES } from '../rounds';
import {
  expect,
  expectRefused,
  type Language,
  look,
  setCookie,
  signInStaff,
  test,
  watchConsole,
  words,
} from './site';

test.use({ siteWith: { variables: { OFFLINE_MODE: 'false' } } });

const EMAIL = 'anna.mueller@example.eu';
/** An application of this browser's that waits to be paid: where it is. */
async function certified(page: Page, site: Site, language: Language): Promise<string> {
  const reader = await HtmlBrowser.open(site.origin, '/', language);
  const path = await fillApplication(reader, 7);
  await sendAnswers(reader, STATEMENTS);
  await setCookie(page.context(), site, 'draft', reader.visitor.cookie('draft'));
  return `${path}/payment`;
}

async function order(page: Page): Promise<void> {
  await page.locator('label[for=package-express]').click();
  await page.locator('label[for=start_choice-now]').click();
  await page.locator('[name=not_government_acknowledged]').check();
  await page.locator('[name=terms]').check();
  await page.locator('#page-form [type=submit]').click();
}

for (const language of JOURNEY_LANGUAGES) {
  // Whose page is another site's, where a form's policy of the site may stop the browser.
  test.describe(`an order at a payment provider, without a script, in ${language}`, () => {
    test.use({ locale: language, javaScriptEnabled: false });

    let stripe: Stripe;
    let site: Site;
    test.beforeAll(async () => {
      stripe = await startStripe();
      site = await startSite({ OFFLINE_MODE: 'false', ...stripe.variables });
      stripe.deliversTo(site);
    });
    test.afterAll(async () => {
      await site.stop();
      await stripe.stop();
    });

    test('is refused, paid, and has an invoice', async ({ page }) => {
      const messages = watchConsole(page);
      const success = words(language)['order-success'];
      const main = page.getByRole('main');
      await page.goto(site.origin + (await certified(page, site, language)));
      await expect(main.locator(':checked')).toHaveCount(0);
      await page.locator('#page-form [type=submit]').click();
      await expectRefused(page);
      await order(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(plain(success.title));
      await main.getByRole('link', { name: /R-/ }).click();
      await expect(main).toContainText(/R-\d{4}-\d{5}/);
      expect(messages).toEqual([]);
    });
  });
}

for (const language of LOOK_LANGUAGES) {
  test.describe(`the screens of an order, in ${language}`, () => {
    test.use({ locale: language });

    test('have no axe violation and are walked by keyboard, empty, refused and done', async ({
      page,
      browser,
      site,
    }) => {
      const messages = watchConsole(page);
      const send = (at = page) => at.locator('main form [type=submit]').first().click();
      const payment = await certified(page, site, language);
      const path = payment.replace('/payment', '');
      const go = async (address: string) => {
        await page.goto(site.origin + address);
        await look(page, address);
      };
      await page.setViewportSize({ width: 320, height: 700 });

      await go(payment);
      await page.locator('#page-form [type=submit]').click();
      await expectRefused(page);
      await page.locator('label[for=package-express]').click();
      await page.locator('label[for=start_choice-now]').click();
      await look(page, 'refused, with an order above the button');
      await order(page);
      await expect(page).toHaveURL(/checkout/);
      const checkout = page.url();
      await page.locator('button[value=decline]').click();
      await expectRefused(page);
      await page.locator('button[value=close]').click();
      await expect(page).toHaveURL(/cancelled=1/);
      await page.goto(checkout);
      await page.locator('button[value=pay]').click();
      await expect(page).toHaveURL(/success/);
      await look(page, 'paid');
      for (const name of ['invoice', 'overview', 'overview?ask=cancel', 'refund']) {
        await go(`${path}/${name}`);
      }
      await go('/withdrawal');
      for (const name of ['name', 'reference', 'email']) {
        await page.locator(`main [name=${name}]`).fill('');
      }
      await send();
      await expectRefused(page);
      await look(page, 'a withdrawal without a name');
      await page.locator('main [name=name]').fill('Anna');
      await page.locator('main [name=reference]').fill('?');
      await page.locator('main [name=email]').fill(EMAIL);
      await send();
      await send();
      await look(page, 'the receipt of a withdrawal');

      await page.goto(`${site.origin}${path}/overview?ask=cancel`);
      await page.locator('main form button.button-danger').click();
      await expect(page.getByRole('status')).toBeInViewport();
      await look(page, 'cancelled');
      await go(`${path}/refund`);

      const context = await browser.newContext({ locale: language });
      await signInStaff(context, site, 'supervisor');
      const desk = await context.newPage();
      await desk.goto(`${site.origin}/crm/refunds`);
      await look(desk, 'the refunds');
      await desk.locator('main a[href^="/crm/refunds/"]').first().click();
      await desk.locator('[name=amount]').fill('?');
      await send(desk);
      await expectRefused(desk);
      await look(desk, 'an amount that is none');
      await context.close();
      expect(messages).toEqual([]);
    });
  });
}
