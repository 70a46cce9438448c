import { Secret, TOTP } from 'otpauth';

import { JOURNEY_LANGUAGES } from '../rounds';
import { expect, look, test, watchConsole, waysIn, words } from './site';

const PASSWORD = 'trois valises et un parapluie';
const STEP_MS = 30_000;
test.use({ siteWith: { variables: { OFFLINE_MODE: 'false' } } });

for (const { language, name, use } of waysIn(JOURNEY_LANGUAGES)) {
  const { auth, factors, security, shell, 'application-overview': overview } = words(language);

  test.describe(`an account, in ${name}`, () => {
    test.use(use);
    // One site has the accounts of all languages, and their mails, the newest first.
    const email = `marie-${language}-${String(use.javaScriptEnabled)}@example.eu`;

    test('begins with a link, gets a second step, and is closed to who comes after', async ({
      page,
      site,
    }) => {
      const messages = watchConsole(page);
      const see = () => look(page, page.url(), { isWalked: false });
      const heading = page.getByRole('heading', { level: 1 });
      const main = page.getByRole('main');
      const press = (name: string) => main.getByRole('button', { name, exact: true }).click();
      const menu = page.locator('header details[data-menu]').filter({ visible: true }).last();

      await page.goto(site.origin);
      await page.getByRole('banner').getByRole('link', { name: shell.account.signIn }).click();
      await expect(heading).toHaveText(auth.signIn.title);
      await see();
      await main.getByRole('link', { name: auth.signUp.title }).click();
      await main.getByLabel(auth.fields.email).fill(email);
      await main.getByLabel(auth.fields.newPassword).fill('court');
      await press(auth.signUp.button);
      await expect(page.getByRole('alert')).toBeInViewport();
      await see();
      await main.getByLabel(auth.fields.newPassword).fill(PASSWORD);
      await press(auth.signUp.button);
      await expect(heading).toHaveText(auth.inbox.title);
      await see();

      await main.getByRole('link', { name: auth.inbox.outbox }).click();
      await see();
      await page.locator('a[href^="/auth/verify?"]').first().click();
      await expect(heading).toHaveText(auth.verify.title);
      await see();
      await press(auth.verify.button);
      await expect(heading).toHaveText(overview.list.title);
      await page.goto(`${site.origin}/auth/security`);
      await see();

      await main.getByText(security.factors.add.totp.summary).click();
      const begin = main.locator('form', { has: page.locator('[value=totp]') });
      await begin.getByLabel(security.fields.password).fill(PASSWORD);
      await begin.getByRole('button').click();
      const secret = (await main.locator('code').first().textContent()) ?? '';
      const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
      await main.getByRole('textbox', { name: security.fields.code }).fill('000000');
      await press(security.newFactor.submit);
      await expect(page.getByRole('alert')).toBeInViewport();
      await see();
      await main.getByRole('textbox', { name: security.fields.code }).fill(totp.generate());
      await press(security.newFactor.submit);
      await expect(page.getByRole('status')).toBeInViewport();
      await press(security.recovery.submit);
      await expect(heading).toHaveText(security.recovery.newTitle);
      await see();
      await main.getByRole('link', { name: security.recovery.done }).click();
      await expect(heading).toHaveText(security.title);

      const signOut = async () => {
        await menu.locator('summary').click();
        await menu.getByRole('button', { name: shell.account.signOut }).click();
        await expect(page.locator('header').getByText(email)).toHaveCount(0);
      };
      await signOut();
      await page.goto(`${site.origin}/auth`);
      await main.getByLabel(auth.fields.email).fill(email);
      await main.getByLabel(auth.fields.password).fill(PASSWORD);
      await press(auth.signIn.button);
      await expect(heading).toHaveText(factors.challenge.title);
      await see();
      // The code of this step was used when the app was added.
      await main
        .getByLabel(factors.challenge.code)
        .fill(totp.generate({ timestamp: Date.now() + STEP_MS }));
      await press(factors.challenge.submit);
      await expect(heading).toHaveText(overview.list.title);

      await page.goto(`${site.origin}/about`);
      await expect(page.locator('header').getByText(email).first()).toBeAttached();
      await signOut();
      await page.goBack();
      await expect(page.locator('header').getByText(email)).toHaveCount(0);
      expect(messages).toEqual([]);
    });
  });
}
