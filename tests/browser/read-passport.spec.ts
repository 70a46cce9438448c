import { readFileSync } from 'node:fs';

import type { Page } from '@playwright/test';
import sharp from 'sharp';

import { passportPicture } from '../../operations/demo/pictures';
import { SPECIMEN } from '../../operations/demo/people';
import lines from '../passports/lines.json' with { type: 'json' };
import { expect, hold, look, test } from './site';

test.use({ locale: 'fr', siteWith: { variables: { OFFLINE_MODE: 'false' } } });

const PASSPORT = readFileSync('tests/passports/fra.jpg');
const WHITE = sharp({ create: { width: 900, height: 600, channels: 3, background: 'white' } });
const FILE = { name: 'passport.jpg', mimeType: 'image/jpeg' };
const STEP_1 = /\/application\/[0-9a-f-]{36}\/step-1/;
const PATIENCE = { timeout: 60_000 };

async function choose(page: Page, picture: Buffer | string) {
  const input = page.locator('input[type="file"]').last();
  // The page's script shows it.
  await expect(input).toBeVisible();
  await input.setInputFiles(typeof picture === 'string' ? picture : { ...FILE, buffer: picture });
}
const fill = (page: Page) => page.getByRole('button', { name: 'Remplir le formulaire' }).click();
const read = (page: Page, heading: string) =>
  expect(page.getByRole('heading', { name: heading })).toBeFocused(PATIENCE);

test('a photo of the passport fills the form and stays on the device', async ({ page, site }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  await page.goto(`${site.origin}/application/new/step-1`);
  await page.getByRole('button', { name: /Lire mon passeport/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lire mon passeport');
  await look(page, 'before a picture is chosen');
  expect(asked.filter((one) => /prepare|tesseract/.test(one))).toEqual([]);
  await choose(page, Buffer.from('%PDF-1.7'));
  await expect(page.getByRole('alert')).toContainText('Ce fichier est un PDF');
  await look(page, 'a file that is no picture');
  const release = await hold(page, /eng\.traineddata$/);
  await choose(page, PASSPORT);
  await read(page, 'Lecture des deux lignes');
  await look(page, 'while it is read');
  release();
  await read(page, 'Lu. Tout est net');
  await expect(page.getByText('12 avril 1991')).toBeVisible();
  await look(page, 'what was read');
  await fill(page);
  await expect(page).toHaveURL(STEP_1);
  await expect(page.getByLabel('Nom de famille')).toHaveValue('LEFEVRE');
  expect(asked.filter((one) => !one.includes(site.origin))).toEqual([]);
  expect(asked.filter((one) => one.startsWith('POST')).map((one) => one.split('/').at(-1))).toEqual(
    [expect.stringContaining('step-1'), expect.stringContaining('read-passport')],
  );
});

test('a picture on its side is read, and goes along if that is ticked', async ({ page, site }) => {
  await page.goto(`${site.origin}/application/new/step-1`);
  await page.getByRole('button', { name: /Lire mon passeport/ }).click();
  const buffer = await sharp(PASSPORT).rotate(90).jpeg().toBuffer();
  await choose(page, buffer);
  await read(page, 'Lu. Tout est net');
  await page.getByLabel(/Joindre aussi/).check();
  await fill(page);
  await expect(page).toHaveURL(STEP_1);
  await page.goto(page.url().replace('step-1', 'passport-photo'));
  await expect(page.getByRole('heading', { name: 'Nous avons reçu votre photo' })).toBeVisible();
  await choose(page, await WHITE.jpeg().toBuffer());
  await expect(page.getByText('Nous ne trouvons pas les deux lignes')).toBeVisible(PATIENCE);
  await choose(page, 'tests/passports/gbr.jpg');
  await expect(page.getByText('Le numéro n’est pas celui')).toBeVisible(PATIENCE);
});

test('a sign in doubt is shown, and the traveller says which it is', async ({ page, site }) => {
  const wrong = [lines.fra[0]!, lines.fra[1]!.replace('19FV0', '19FVO')];
  await page.goto(`${site.origin}/application/new/step-1`);
  await page.getByRole('button', { name: /Lire mon passeport/ }).click();
  await choose(page, await WHITE.jpeg().toBuffer());
  await expect(page.getByText('Nous ne trouvons pas les deux lignes')).toBeVisible(PATIENCE);
  await look(page, 'a picture without lines');
  const buffer = Buffer.from(await passportPicture(SPECIMEN, wrong));
  await choose(page, buffer);
  await read(page, 'Lu. Un point à regarder');
  const cells = page.getByRole('img', { name: '19FVO4512' });
  await expect(cells).toBeVisible();
  await expect(page.getByRole('img', { name: '19FV04512' }).locator('.text-good')).toHaveText('0');
  await look(page, 'a sign in doubt');
  await page.getByRole('button', { name: 'Prendre celui-ci' }).click();
  await read(page, 'Lu. Tout est net');
  await expect(cells).toBeHidden();
  await expect(page.locator('[name="line2"]')).toHaveValue(lines.fra[1]!);
});
