import type { Page } from '@playwright/test';
import sharp, { type Sharp } from 'sharp';

import { PORTRAIT } from '../../operations/demo/pictures';
import { fillApplication, photoForm } from '../http/application';
import { HtmlBrowser } from '../http/html-browser';
import { Visitor } from '../http/visitor';
import type { Site } from '../production-server';
import { expect, look, setCookie, test } from './site';

test.use({ locale: 'fr', siteWith: { variables: { OFFLINE_MODE: 'false' } } });

const drawn = () => sharp(Buffer.from(PORTRAIT));
const file = async (picture: Sharp | Buffer, name = 'moi.jpg') => ({
  name,
  mimeType: 'image/jpeg',
  buffer: Buffer.isBuffer(picture) ? picture : await picture.jpeg().toBuffer(),
});
const choose = async (page: Page, picture: Sharp | Buffer, name?: string) =>
  page.locator('[name=photo]').setInputFiles(await file(picture, name));

async function open(page: Page, site: Site) {
  const reader = await HtmlBrowser.open(site.origin, '/', 'fr');
  const path = await fillApplication(reader, 1);
  await setCookie(page.context(), site, 'draft', reader.visitor.cookie('draft'));
  await page.goto(`${site.origin}${path}/portrait`);
}

test('a portrait is looked at and cut on the device, and used all the same', async ({
  page,
  site,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await open(page, site);
  await look(page, 'before a picture is chosen');
  expect(asked.filter((one) => /worker|faces|detector/.test(one))).toEqual([]);
  const wall = { width: 1400, height: 1000, channels: 3, background: '#dde' } as const;
  await choose(page, sharp({ create: wall }));
  const frame = page.getByRole('heading', { name: 'Est-ce bien cadré' });
  await expect(frame).toBeFocused({ timeout: 60_000 });
  await expect(page.locator('[data-warning]:visible')).toHaveText([/pas de visage/]);
  await look(page, 'no face');
  await page.getByRole('button', { name: 'Tourner' }).click();
  await expect(page.locator('svg:has([data-square])')).toHaveAttribute('viewBox', '0 0 1000 1400', {
    timeout: 60_000,
  });
  await page.getByRole('button', { name: 'En prendre une autre' }).click();
  await expect(frame).toBeHidden();

  const beside = drawn().resize(900).extend({ right: 500, background: '#dfe4e6' });
  await choose(page, sharp(await beside.png().toBuffer()));
  await expect(frame).toBeFocused({ timeout: 60_000 });
  await expect(page.locator('[data-warning]:visible')).toHaveCount(0);
  const square = page.locator('[data-square]');
  const proposed = await square.getAttribute('d');
  await page.locator('[data-stage]').focus();
  for (const key of ['+', '+', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  expect(await square.getAttribute('d')).not.toBe(proposed);
  await page.getByRole('button', { name: 'Éloigner' }).click();
  await look(page, 'a face');

  const [first, ...ticks] = await page.locator('[data-state="frame"] [type="checkbox"]').all();
  for (const tick of ticks) await tick.check();
  await page.locator('[value=upload]').click();
  // Nothing is sent before all are ticked, so that the square is not lost.
  await expect(first!).toBeFocused();
  await expect(frame).toBeVisible();
  await first!.check();
  await page.locator('[value=upload]').click();
  const heading = page.getByRole('heading', { name: 'Nous avons reçu votre photo' });
  // It asks every five seconds.
  await expect(heading).toBeVisible({ timeout: 20_000 });
  expect(asked.filter((one) => !one.startsWith(site.origin))).toEqual([]);
  const kinds = "select kind from application_documents where kind like 'portrait%' order by kind";
  expect(site.query(kinds)).toEqual([{ kind: 'portrait' }, { kind: 'portrait_original' }]);
});

test('a portrait that a phone sends shows here by itself', async ({ page, site }) => {
  await open(page, site);
  await page.getByRole('button', { name: 'Afficher le code' }).click();
  const address = await page.locator('main p.machine').textContent();
  const phone = new Visitor(site.origin);
  const form = photoForm(await drawn().jpeg().toBuffer());
  for (const tick of ['new', 'other', 'bare', 'alone']) form.body.set(tick, 'yes');
  const { pathname } = new URL(address!, site.origin);
  await phone.get(pathname);
  expect((await phone.send(pathname, form)).status).toBe(303);
  const heading = page.getByRole('heading', { name: 'Nous avons reçu votre photo' });
  // It asks every five seconds.
  await expect(heading).toBeVisible({ timeout: 20_000 });
});

test('a file that is no picture gets a clear word, and the next one is taken', async ({
  page,
  site,
}) => {
  await open(page, site);
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic');
  const portrait = await drawn().resize(800).jpeg().toBuffer();
  const large = { width: 7200, height: 7200, channels: 3, background: '#dde' } as const;
  const FILES: [RegExp, Buffer][] = [
    [/n’est pas une image JPEG ou PNG/, Buffer.from('Bonjour')],
    [/n’est pas une image JPEG ou PNG/, Buffer.alloc(0)],
    [/HEIC/, heic],
    [/PDF/, Buffer.from('%PDF-1.7')],
    [/incomplète ou endommagée/, portrait.subarray(0, 3000)],
    [/trop petite/, await drawn().resize(300).jpeg().toBuffer()],
    [/trop de pixels/, await sharp({ create: large }).jpeg().toBuffer()],
  ];
  for (const [words, buffer] of FILES) {
    await choose(page, buffer);
    await expect(page.locator('[data-failed]')).toContainText(words, { timeout: 60_000 });
  }
  await look(page, 'a file that is not taken');
  await choose(page, portrait);
  await expect(page.locator('[data-failed]')).toBeHidden();
  await expect(page.locator('canvas')).toBeVisible({ timeout: 60_000 });
});
