import { readFileSync } from 'node:fs';

import sharp from 'sharp';

import { passportPicture } from '../../operations/demo/passport';
import samples from '../passports/lines.json' with { type: 'json' };
import { expect, look, test } from './site';

test.use({ locale: 'fr', siteWith: { variables: { OFFLINE_MODE: 'false' } } });

const PICTURE = {
  name: 'passport.jpg',
  mimeType: 'image/jpeg',
  buffer: readFileSync('tests/passports/fra.jpg'),
};

const FRENCH = samples.fra as [string, string];
const READ = { timeout: 60_000 };

test.beforeEach(async ({ page, site }) => {
  await page.goto(`${site.origin}/application/new/step-1`);
  await page.getByRole('link', { name: /Lire mon passeport/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lire mon passeport');
});

test('a photo of the passport fills the form; nothing leaves the device before that', async ({
  page,
  site,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  await page.reload();
  await look(page, 'before a picture is chosen');
  // Nothing of the reader is loaded before somebody wants it.
  expect(asked.filter((one) => /prepare|tesseract/.test(one))).toEqual([]);
  const choose = page.locator('input[type="file"]').last();
  for (const bad of [
    { ...PICTURE, mimeType: 'application/pdf' },
    { ...PICTURE, buffer: Buffer.from('%PDF-1.7') },
    { ...PICTURE, buffer: Buffer.alloc(0) },
  ]) {
    await choose.setInputFiles(bad);
    await expect(page.getByRole('alert')).toContainText('n’est pas une image JPEG ou PNG');
  }
  await choose.setInputFiles(PICTURE);
  await expect(page.getByRole('heading', { name: 'Lu. Tout est net' })).toBeFocused(READ);
  await look(page, 'what was read');
  expect(asked.filter((one) => !one.includes(site.origin) || one.startsWith('POST'))).toEqual([]);
  await page.getByRole('button', { name: 'Remplir le formulaire' }).click();
  await expect(page).toHaveURL(/\/application\/[0-9a-f-]{36}\/step-1/);
  await expect(page.getByLabel('Nom de famille')).toHaveValue('LEFEVRE');
  expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
});

test('a picture that lies on its side is read; where that is ticked it goes along', async ({
  page,
}) => {
  const buffer = await sharp(PICTURE.buffer).rotate(90).jpeg().toBuffer();
  await page
    .locator('input[type="file"]')
    .last()
    .setInputFiles({ ...PICTURE, buffer });
  await expect(page.getByRole('heading', { name: 'Lu. Tout est net' })).toBeFocused(READ);
  await page.getByLabel(/Joindre aussi/).check();
  await page.getByRole('button', { name: 'Remplir le formulaire' }).click();
  await expect(page.getByLabel('Nom de famille')).toHaveValue('LEFEVRE');
  await page.goto(page.url().replace('step-1', 'passport-photo'));
  await expect(page.getByRole('heading', { name: 'Nous avons reçu votre photo' })).toBeVisible();
});

test('a number with a sign in doubt is filled in once its owner has chosen', async ({ page }) => {
  const person = {
    ...{ first: 'Chloé Hélène', last: 'Lefèvre', birth: '1991-04-12', country: 'FR' },
    ...{ printed: 'FRA', city: 'Lyon', passport: '19FV04512', sex: 'F' as const },
  };
  const wrong = FRENCH[1].replace('19FV04512', '19FVO4512');
  const buffer = Buffer.from(await passportPicture(person, [FRENCH[0], wrong]));
  await page
    .locator('input[type="file"]')
    .last()
    .setInputFiles({ ...PICTURE, buffer });
  await expect(page.getByRole('heading', { name: 'Lu. Un point à regarder' })).toBeFocused(READ);
  const number = page.locator('[data-field="passport_number"]');
  await expect(number).toContainText('à écrire vous-même');
  for (const w of [1280, 320]) {
    await page.screenshot({ path: `/tmp/read-${w}.png`, fullPage: true });
  }
  await look(page, 'a sign in doubt');
  await expect(number.getByRole('img', { name: '19FV04512' })).toBeVisible();
  await number.getByRole('button', { name: 'Prendre celui-ci' }).click();
  await expect(page.getByRole('heading', { name: 'Lu. Tout est net' })).toBeFocused();
  await expect(number.locator('[data-value]')).toHaveText('19FV04512');
  await page.getByRole('button', { name: 'Remplir le formulaire' }).click();
  await expect(page.getByLabel('Nom de famille')).toHaveValue('LEFEVRE');
});
