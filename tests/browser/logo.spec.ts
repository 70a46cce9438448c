import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

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

/** The colour on the screen in the middle of where the logo stands. */
async function colourOfLogo(page: Page): Promise<number[]> {
  const box = await page.locator('header object').boundingBox();
  if (!box) throw new Error('There is no room for a logo.');
  const picture = await page.screenshot({ clip: { ...box, width: 40 } });
  const desk = await page.context().newPage();
  try {
    return await desk.evaluate(
      async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.width, image.height];
        const drawing = canvas.getContext('2d');
        drawing?.drawImage(image, 0, 0);
        const { data } = drawing?.getImageData(image.width / 2, image.height / 2, 1, 1) ?? {};
        return [...(data ?? [])].slice(0, 3);
      },
      `data:image/png;base64,${picture.toString('base64')}`,
    );
  } finally {
    await desk.close();
  }
}

const name = (page: Page) => page.locator('header').getByText('Passerelle', { exact: true });

test('the operator’s logo shows, with name and tagline beside it, also on a narrow screen', async ({
  page,
}) => {
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
});

test('if it is broken the local image shows, and if both are, the text alone', async ({ page }) => {
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
