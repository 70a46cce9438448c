import type { Page } from '@playwright/test';

import { LANGUAGE_ROWS } from '~/i18n/languages';
import { countryName } from '../fixtures';
import { expect, forbidStorage, type Language, test } from './site';
import { WizardPage } from './wizard-page';

async function changeLanguage(page: Page, to: Language, part: 'header' | 'footer') {
  if (part === 'header') await page.locator('header summary', { hasText: /^(fr|en|de)$/i }).click();
  await page.locator(part).getByRole('button', { name: LANGUAGE_ROWS[to].name }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', to);
}

test.use({ locale: 'en' });

test('nothing typed is lost when the language is changed', async ({ page, site }) => {
  await forbidStorage(page);
  const wizard = new WizardPage(page, site.origin, 'en');
  await wizard.open();
  await wizard.country().fill('France');
  await wizard.country().press('Enter');
  await changeLanguage(page, 'de', 'header');
  await wizard.hydrated();
  const german = new WizardPage(page, site.origin, 'de');
  await expect(german.country()).toHaveValue(countryName('FR', 'de'));
  await expect(page.getByRole('alert')).toBeHidden();
  await german.continueButton().click();

  await page.waitForURL(/step=questions/);
  await german.hydrated();
  await german.radio('overstay', 'yes').check();
  await changeLanguage(page, 'fr', 'footer');
  await german.hydrated();
  await expect(german.radio('overstay', 'yes')).toBeChecked();
  await expect(german.progress()).toHaveJSProperty('value', 29);
});
