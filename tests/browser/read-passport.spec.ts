import { readFileSync } from 'node:fs';

import { expect, look, test } from './site';

test.use({ locale: 'fr', siteWith: { variables: { OFFLINE_MODE: 'false' } } });

const PICTURE = {
  name: 'passport.jpg',
  mimeType: 'image/jpeg',
  buffer: readFileSync('tests/passports/fra.jpg'),
};

test('a photo of the passport fills the form, and leaves the device only where that is ticked', async ({
  page,
  site,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  await page.goto(`${site.origin}/application/new/step-1`);
  await page.getByRole('link', { name: /Lire mon passeport/ }).click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Lire mon passeport');
  await look(page, 'before a picture is chosen');
  // Nothing of the reader is loaded before somebody wants it.
  expect(asked.filter((one) => /prepare|tesseract/.test(one))).toEqual([]);
  const choose = page.locator('input[type="file"]').last();
  await choose.setInputFiles({ ...PICTURE, mimeType: 'application/pdf' });
  await expect(page.getByRole('alert')).toContainText('n’est pas une image JPEG ou PNG');
  await choose.setInputFiles(PICTURE);
  await expect(page.getByRole('heading', { name: 'Lu. Tout est net' })).toBeFocused({
    timeout: 60_000,
  });
  await look(page, 'what was read');
  expect(asked.filter((one) => !one.includes(site.origin) || one.startsWith('POST'))).toEqual([]);
  await page.getByLabel(/Joindre aussi/).check();
  await page.getByRole('button', { name: 'Remplir le formulaire' }).click();
  await expect(page).toHaveURL(/\/application\/[0-9a-f-]{36}\/step-1/);
  await expect(page.getByLabel('Nom de famille')).toHaveValue('LEFEVRE');
  const sent = asked.filter((one) => one.startsWith('POST')).map((one) => one.split('/').at(-1));
  expect(sent).toEqual([expect.stringContaining('read-passport'), 'passport-photo']);
  await page.goto(page.url().replace('step-1', 'passport-photo'));
  await expect(page.getByRole('heading', { name: 'Nous avons reçu votre photo' })).toBeVisible();
});
