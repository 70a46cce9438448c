import { menuViews } from '~/root-data.server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { expect, test, waysIn, words } from './site';

for (const { language, name, use } of waysIn(JOURNEY_LANGUAGES, true)) {
  const { shell, services } = words(language);

  test.describe(`the shell in ${name}`, () => {
    test.use(use);

    test('menus open on a narrow screen, and every item is in reach', async ({ page, site }) => {
      await page.setViewportSize({ width: 320, height: 700 });
      await page.goto(`${site.origin}/services`);
      // One at a time is open of what has the same name.
      await expect(page.locator('details[name=faq]')).toHaveCount(7);
      const menu = page.locator('header details', { has: page.locator('nav') });
      await menu.locator('summary').click();
      const item = (name: string) => menu.getByRole('link', { name, exact: true });
      for (const { label } of menuViews(language).main) {
        await expect(item(label)).toBeInViewport({ ratio: 1 });
      }
      await expect(item(shell.nav.follow)).toBeInViewport({ ratio: 1 });
      await expect(item(services.menu)).toHaveAttribute('aria-current', 'page');
      await expect(item(shell.account.signIn)).toHaveAttribute('href', '/auth');
      await item(shell.nav.follow).click();
      await expect(page).toHaveURL(`${site.origin}/application/status`);
    });
  });
}

test('a toast is closed, and a menu with Escape or a click beside it', async ({ page, site }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(`${site.origin}/about?lng=en`);
  const account = page.locator('header details', { has: page.locator('[href="/auth"]') }).first();
  await account.locator('summary').click();
  await expect(account.getByRole('link').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(account.getByRole('link').first()).toBeHidden();
  await expect(account.locator('summary')).toBeFocused();
  await account.locator('summary').click();
  await page.locator('h1').click();
  await expect(account.getByRole('link').first()).toBeHidden();

  await page.request.post(`${site.origin}/sign-out`, {
    form: { returnTo: '/about' },
    maxRedirects: 0,
  });
  await page.goto(`${site.origin}/about`);
  await page.getByRole('button', { name: words('en').shell.toast.close }).click();
  await expect(page.getByRole('status')).toBeHidden();
});

for (const { name, use } of waysIn(['en'], true)) {
  test.describe(`in ${name}`, () => {
    test.use(use);

    test('the console tells of a missing page; the skip link works', async ({
      open,
      page,
      javaScriptEnabled,
    }) => {
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      await open('/no/such/page');
      if (javaScriptEnabled) {
        await expect.poll(() => messages).toContain('404: there is no page at /no/such/page');
      }
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: words('en').shell.skipToContent });
      await expect(skip).toBeFocused();
      await expect(skip).toBeInViewport();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect(
        page.getByRole('link', { name: words('en').shell.errors.returnHome }),
      ).toBeFocused();
    });
  });
}
