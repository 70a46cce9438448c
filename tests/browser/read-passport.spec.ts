import { readFileSync } from 'node:fs';

import { expect, test } from './site';

test.use({ locale: 'fr', siteWith: { variables: { OFFLINE_MODE: 'false' } } });

const PICTURE = {
  name: 'passport.jpg',
  mimeType: 'image/jpeg',
  buffer: readFileSync('tests/passports/fra-tilted.jpg'),
};

test('a photo of the passport fills steps 1 and 2, and leaves the device only where that is ticked', async ({
  page,
  site,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('requestfailed', (r) => console.log('failed', r.url(), r.failure()?.errorText));
  page.on(
    'response',
    (r) =>
      /tess|prepare/.test(r.url()) &&
      console.log(
        r.status(),
        r.url(),
        r.headers()['content-security-policy'],
        r.headers()['content-type'],
      ),
  );
  page.on('worker', (w) => {
    console.log('worker', w.url());
  });
  page.on('console', (m) => console.log(m.text()));
  await page.goto(`${site.origin}/application/new/step-1`);
  await page.getByRole('link', { name: /Lire mon passeport/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lire mon passeport');
  expect(asked.filter((url) => /prepare|tesseract/.test(url))).toEqual([]);
  await page.locator('input[type="file"]').last().setInputFiles(PICTURE);
  await expect(page.getByRole('heading', { name: 'Lu. Tout est net' })).toBeFocused({
    timeout: 30_000,
  });
  await page.screenshot({ path: 'test-results/read.png', fullPage: true });
  expect(asked.every((url) => url.startsWith(site.origin))).toBe(true);
  await page.getByLabel(/Joindre aussi/).check();
  await page.getByRole('button', { name: 'Remplir le formulaire' }).click();
  await expect(page).toHaveURL(/\/application\/[0-9a-f-]{36}\/step-1/);
  await page.screenshot({ path: 'test-results/step1.png', fullPage: true });
});
