import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';
import sharp from 'sharp';

import { type Site, startSite, temporaryFolder } from '../production-server';
import { expect, expectAccessible, test, watchConsole } from './site';

const RED = [255, 0, 0];
/** In the middle of the local image there is nothing but its ground. */
const PINE = [11, 84, 80];

test.describe.configure({ mode: 'default' });
let folder: string;
let own: Site;
test.beforeAll(async () => {
  folder = temporaryFolder();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40"><path fill="#f00" d="M0 0h200v40H0z"/></svg>';
  const settings = join(folder, 'site.json');
  writeFileSync(join(folder, 'own.svg'), svg);
  writeFileSync(settings, JSON.stringify({ logo: 'own.svg', siteName: 'Passerelle' }));
  own = await startSite({ SITE_CONFIG: settings });
});
test.afterAll(async () => {
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function colourOfLogo(page: Page): Promise<number[]> {
  const box = await page.locator('header object').boundingBox();
  if (!box) throw new Error('There is no room for a logo.');
  const picture = sharp(await page.screenshot({ clip: { ...box, width: 40 } }));
  const middle = { left: 20, top: Math.floor(box.height / 2), width: 1, height: 1 };
  return [...(await picture.extract(middle).removeAlpha().raw().toBuffer())];
}

const name = (page: Page) => page.locator('header').getByText('Passerelle', { exact: true });

test('a broken logo gives way to the local image, and that to the text', async ({ page }) => {
  const messages = watchConsole(page);
  await page.goto(`${own.origin}/about?lng=de`);
  await expect.poll(() => colourOfLogo(page)).toEqual(RED);
  await expect(page.locator('header object img')).toBeHidden();
  await expect(name(page)).toBeVisible();
  await expect(name(page).locator('xpath=following-sibling::*')).toBeVisible();
  // axe waits for an answer from each frame, and a drawing runs no script.
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(320);
  await expect(name(page)).toBeVisible();
  expect(messages).toEqual([]);

  await page.route('**/logo', (route) => route.fulfill({ status: 404, body: 'none' }));
  await page.goto(`${own.origin}/about`);
  await expect.poll(() => colourOfLogo(page)).toEqual(PINE);
  await expect(page.locator('header object img')).toBeVisible();
  await expect(name(page)).toBeVisible();

  await page.route('**/favicon.svg', (route) => route.abort());
  await page.reload();
  await expect(name(page)).toBeVisible();
  const naturalWidth = () =>
    page.locator('header object img').evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(naturalWidth).toBe(0);
  expect(await colourOfLogo(page)).not.toEqual(PINE);
});
