import type { Page } from '@playwright/test';

import { sampleAnswers } from '../http/application';
import { ApplicationPage } from './application-page';
import { HYDRATES } from '../site-map';
import { becomesInteractive, expect, test, words } from './site';

/*
 * Back after a corrected mistake. A page that answered a form would have the browser ask whether to send
 * it once more; Chromium under test shows an error in place of the question.
 */

test.use({ locale: 'fr', siteWith: { variables: { OFFLINE_MODE: 'false' } } });

const { application, auth, contact, 'order-withdrawal': withdrawal } = words('fr');
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const send = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click();

test('of the first step of an application leads to that step', async ({ page, site }) => {
  const own = new ApplicationPage(page, 'fr');
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(`${site.origin}/application/new/step-1`);
  const first = (await heading(page).textContent()) ?? '';
  await own.press(application.continue);
  await expect(page.getByRole('alert')).toBeVisible();
  await own.fill(sampleAnswers(1));
  await own.press(application.continue);
  await page.waitForURL(/step-2$/);
  await page.goBack();
  await expect(heading(page)).toHaveText(first);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(own.control('email')).toHaveValue(sampleAnswers(1)['email'] ?? '');
  // The same for a step that was saved before.
  await own.fill({ email: 'anna@@example' });
  await own.press(application.continue);
  await expect(page.getByRole('alert')).toBeVisible();
  await own.fill(sampleAnswers(1));
  await own.press(application.continue);
  await page.waitForURL(/step-2$/);
  await page.goBack();
  await expect(heading(page)).toHaveText(first);
});

for (const [address, button] of [
  ['/contact', contact.send],
  ['/auth', auth.signIn.button],
  ['/withdrawal', withdrawal.button],
] as const) {
  test(`of ${address} leads to its form`, async ({ page, site }) => {
    await page.goto(site.origin + address);
    if (HYDRATES.test(address)) await becomesInteractive(page);
    const title = (await heading(page).textContent()) ?? '';
    await send(page, button);
    await expect(page.getByRole('alert').first()).toBeVisible();
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: words('fr').legal.privacy.menu })
      .click();
    await expect(heading(page)).not.toHaveText(title);
    await page.goBack();
    await expect(heading(page)).toHaveText(title);
  });
}
