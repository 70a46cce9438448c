import type { BrowserContext, Page } from '@playwright/test';

import { fillApplication } from '../http/application';
import { plain } from '../http/html';
import { Reader } from '../http/reader';
import { addPerson, signedIn } from '../http/signed-in';
import { startStripe, type Stripe } from '../payments';
import { type Site, startSite } from '../production-server';
import { JOURNEY_LANGUAGES, LONG } from '../rounds';
import { ApplicationPage } from './application-page';
import { expect, LANGUAGES, test, watchConsole, words } from './site';

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
  /** The languages in which the order is made there. */
  languages: readonly (typeof LANGUAGES)[number][];
  start: () => Promise<{ site: Site; stop: () => Promise<void> }>;
}

const TILLS: Till[] = [
  {
    name: 'the demonstration',
    languages: LANGUAGES,
    async start() {
      const site = await startSite({ OFFLINE_MODE: 'false' });
      return { site, stop: () => site.stop() };
    },
  },
  {
    name: 'a payment provider',
    languages: JOURNEY_LANGUAGES,
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

for (const { name, languages, start } of TILLS) {
  test.describe(`an order at ${name}`, () => {
    // Nothing here has a script: without one it is made in each language, with one if there is time.
    test.skip(({ javaScriptEnabled }) => javaScriptEnabled && !LONG);

    let till: Awaited<ReturnType<Till['start']>>;
    test.beforeAll(async () => {
      till = await start();
    });
    test.afterAll(() => till.stop());

    for (const language of languages) {
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
          await lend(page.context(), site, reader);

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
              const visitor = signedIn(site, addPerson(site, { role }), { language });
              const value = visitor.cookie('session') ?? '';
              await context.addCookies([{ name: 'session', value, url: site.origin }]);
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

/** Gives a browser the application of somebody who reads without one. */
async function lend(context: BrowserContext, site: Site, reader: Reader): Promise<void> {
  const value = reader.visitor.cookie('draft') ?? '';
  await context.addCookies([{ name: 'draft', value, url: site.origin }]);
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
