import type { Page } from '@playwright/test';

import { fillApplication, sendAnswers } from '../http/application';
import { plain } from '../http/html';
import { Reader } from '../http/reader';
import { startStripe, type Stripe } from '../payments';
import { type Site, startSite } from '../production-server';
import { JOURNEY_LANGUAGES, LONG, LOOK_LANGUAGES } from '../rounds';
import { ApplicationPage } from './application-page';
import { expectWalkable } from './focus';
import {
  expect,
  expectAccessibleInTheDark,
  expectNarrow,
  setCookie,
  signInStaff,
  test,
  watchConsole,
  words,
} from './site';

const EMAIL = 'anna.mueller@example.eu';
const CERTIFIED = {
  review_confirmed: 'yes',
  declaration_true: 'yes',
  waiver_acknowledged: 'yes',
  third_party_authorisation: 'yes',
  photo_later: 'yes',
  completed_by: 'self',
  signature_name: 'Anna',
};

/** Who takes the money: the demonstration of the site, or a provider of its own process. */
interface Till {
  name: string;
  start: () => Promise<{ site: Site; stop: () => Promise<void> }>;
}

const TILLS: Till[] = [
  {
    name: 'the demonstration',
    async start() {
      const site = await startSite({ OFFLINE_MODE: 'false' });
      return { site, stop: () => site.stop() };
    },
  },
  {
    name: 'a payment provider',
    async start() {
      const stripe: Stripe = await startStripe();
      const site = await startSite({ OFFLINE_MODE: 'false', ...stripe.variables });
      stripe.deliversTo(site);
      return {
        site,
        async stop() {
          await site.stop();
          await stripe.stop();
        },
      };
    },
  },
];

for (const { name, start } of TILLS) {
  test.describe(`an order at ${name}`, () => {
    // Nothing here has a script.
    test.skip(({ javaScriptEnabled }) => javaScriptEnabled && !LONG);

    let till: Awaited<ReturnType<Till['start']>>;
    test.beforeAll(async () => {
      till = await start();
    });
    test.afterAll(() => till.stop());

    for (const language of JOURNEY_LANGUAGES) {
      test.describe(`in ${language}`, () => {
        test.use({ locale: language });

        test('goes from the certification to the money that another person sends back', async ({
          page,
          browser,
          javaScriptEnabled,
        }) => {
          const { site } = till;
          const messages = watchConsole(page);
          const own = new ApplicationPage(page, language, 'labels');
          const { heading, main } = own;
          const said = words(language);
          const payment = said['order-payment'];
          const withdrawal = said['order-withdrawal'];

          const reader = await Reader.open(site.origin, '/', language);
          const path = await fillApplication(reader, 7);
          await setCookie(page.context(), site, 'draft', reader.visitor.cookie('draft'));

          await test.step('certify and order', async () => {
            await page.goto(`${site.origin}${path}/step-8`);
            await own.fill(8, CERTIFIED);
            await own.press(said['application-check'].certify.button);
            await expect(heading()).toHaveText(plain(payment.title));
            await expect(main().locator(':checked')).toHaveCount(0);
            await own.press(payment.button);
            await expect(page.getByRole('alert')).toBeInViewport();
            await expect(page.getByRole('alert')).toBeFocused();
            await page.locator('label[for=package-express]').click();
            await page.locator('label[for=start_choice-now]').click();
            await page.locator('[name=email]').fill(EMAIL);
            await page.locator('[name=not_government_acknowledged]').check();
            await page.locator('[name=terms]').check();
            await own.press(payment.button);
          });

          await test.step('pay, after a card that is declined', async () => {
            const button = (intent: string) => page.locator(`button[value=${intent}]`);
            await button('decline').click();
            await expect(button('pay')).toBeVisible();
            await button('pay').click();
            await expect(heading()).toHaveText(plain(said['order-success'].title));
            await expect(main()).toContainText(plain(said.services.tiers.express.name));
          });

          const reference = /TRV-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(await main().innerText())?.[0] ?? '';
          expect(reference).not.toBe('');

          await test.step('print the invoice', async () => {
            await own.follow(said['order-success'].actions.invoice);
            await expect(main()).toContainText(/R-\d{4}-\d{5}/);
            await expect(main()).toContainText(reference);
            const pdf = await page.pdf({ preferCSSPageSize: true });
            expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
          });

          await test.step('withdraw, and get the receipt', async () => {
            await page.goto(`${site.origin}${path}/overview`);
            await page
              .getByRole('link', { name: plain(said.shell.footer.withdrawal) })
              .last()
              .click();
            await expect(heading()).toHaveText(plain(withdrawal.title));
            await page.locator('main [name=name]').fill('Anna Müller-Lüdenscheidt');
            await page.locator('main [name=reference]').fill(reference.toLowerCase());
            await page.locator('main [name=email]').fill(EMAIL);
            await own.press(withdrawal.button);
            await expect(main()).toContainText(plain(withdrawal.statement));
            await own.press(withdrawal.confirm.button);
            await expect(heading()).toHaveText(plain(withdrawal.receipt.title));
            await expect(main()).toContainText(/\d{1,2}[:.]\d{2}/);
            await expectMail(site, [reference, 'Anna Müller-Lüdenscheidt']);
          });

          await test.step('one of the staff proposes, another approves', async () => {
            const desk = async (role: 'agent' | 'supervisor') => {
              const context = await browser.newContext({ locale: language, javaScriptEnabled });
              await signInStaff(context, site, role);
              const at = await context.newPage();
              await at.goto(`${site.origin}/crm/refunds`);
              await at.getByRole('link', { name: reference }).click();
              return { at, close: () => context.close() };
            };
            const { forms } = said.staff.refunds;
            const press = (at: Page, button: string) =>
              at.getByRole('button', { name: plain(button), exact: true }).click();

            const agent = await desk('agent');
            await press(agent.at, forms.proposeButton);
            await expect(agent.at.getByRole('main')).toContainText(
              plain(said.staff.refunds.states.proposed),
            );
            await expect(
              agent.at.getByRole('button', { name: plain(forms.approveButton) }),
            ).toHaveCount(0);
            await agent.close();

            const supervisor = await desk('supervisor');
            await press(supervisor.at, forms.approveButton);
            await expect(supervisor.at.getByRole('main')).toContainText(/A-\d{4}-\d{5}/);
            await supervisor.close();
          });

          await test.step('read that the money is on its way', async () => {
            await page.goto(`${site.origin}${path}/refund`);
            await expect(heading()).toHaveText(plain(said['order-refund'].way.title));
            await expect(main()).toContainText(plain(said['order-refund'].way.stations.sent.text));
            await expectMail(site, [reference, 'A-20']);
            await page.goto(`${site.origin}${path}/overview`);
            await expect(heading()).toHaveText(
              plain(said['application-overview'].states.cancelled.title),
            );
          });
          expect(messages).toEqual([]);
        });
      });
    }
  });
}

for (const language of LOOK_LANGUAGES) {
  test.describe(`the screens of an order, in ${language}`, () => {
    test.use({ locale: language });
    // axe is a script itself.
    test.skip(({ javaScriptEnabled }) => !javaScriptEnabled);
    test.setTimeout(LONG ? 300_000 : 180_000);

    let site: Site;
    test.beforeAll(async () => {
      site = await startSite({ OFFLINE_MODE: 'false' });
    });
    test.afterAll(() => site.stop());

    /** No axe violation, not too wide, and the keyboard comes through it at 320 px. */
    async function look(page: Page, what: string): Promise<void> {
      await test.step(what, async () => {
        await expectAccessibleInTheDark(page);
        await expectNarrow(page);
        await expectWalkable(page);
      });
    }

    /** What has nothing in it that is not looked at elsewhere: in `npm run test:long` only. */
    async function lookOnce(page: Page, what: string): Promise<void> {
      if (LONG) await look(page, what);
    }

    /** What came of a form is in sight, where the reader goes on. */
    async function expectRefused(page: Page): Promise<void> {
      await expect(page.getByRole('alert')).toBeFocused();
      await expect(page.getByRole('alert')).toBeInViewport();
    }

    test('have no axe violation and are walked by keyboard, empty, refused and done', async ({
      page,
      browser,
    }) => {
      const messages = watchConsole(page);
      const send = (at = page) => at.locator('main form [type=submit]').first().click();
      const reader = await Reader.open(site.origin, '/', language);
      const path = await fillApplication(reader, 7);
      await sendAnswers(reader, CERTIFIED);
      await setCookie(page.context(), site, 'draft', reader.visitor.cookie('draft'));
      const go = async (address: string) => {
        await page.goto(site.origin + address);
        await look(page, address);
      };
      await page.setViewportSize({ width: 320, height: 700 });

      await go(`${path}/payment`);
      await page.locator('#page-form [type=submit]').click();
      await expectRefused(page);
      await page.locator('label[for=package-express]').click();
      await page.locator('label[for=start_choice-now]').click();
      await look(page, 'refused, with an order above the button');
      await page.locator('[name=email]').fill(EMAIL);
      await page.locator('[name=not_government_acknowledged]').check();
      await page.locator('[name=terms]').check();
      await page.locator('#page-form [type=submit]').click();
      await expect(page).toHaveURL(/checkout/);
      const checkout = page.url();
      await page.locator('button[value=decline]').click();
      await expectRefused(page);
      await lookOnce(page, 'a card that was declined');
      await page.locator('button[value=close]').click();
      await expect(page).toHaveURL(/cancelled=1/);
      await lookOnce(page, 'a payment that was left');
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
      await lookOnce(page, 'a withdrawal to be confirmed');
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
      await desk.getByRole('link', { name: /TRV-/ }).first().click();
      await lookOnce(desk, 'a refund');
      await desk.locator('[name=amount]').fill('?');
      await send(desk);
      await expectRefused(desk);
      await look(desk, 'an amount that is none');
      await context.close();
      expect(messages).toEqual([]);
    });
  });
}

/** A mail to the traveller in which all of this stands; each is sent soon after what it tells of. */
async function expectMail(site: Site, parts: readonly string[]): Promise<void> {
  const address = new URL(`/outbox?${new URLSearchParams({ to: EMAIL })}`, site.origin);
  const read = async () => {
    const response = await fetch(address, { headers: { Accept: 'application/json' } });
    const mails = (await response.json()) as { text: string }[];
    // Lines are broken where they are full; what was typed stands as it was typed.
    const said = mails.map(({ text }) => plain(text).toLowerCase());
    return said.some((text) => parts.every((part) => text.includes(part.toLowerCase())));
  };
  await expect.poll(read, { message: `a mail with ${parts.join(' and ')}` }).toBe(true);
}
