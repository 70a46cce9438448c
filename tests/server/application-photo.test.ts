/** What is kept of a photo: a picture that was made anew. */
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { reencode } from '~/applications/re-encode.server';
import { isPlaceWanted, takePlace } from '~/applications/upload-places';
import { setAppOfProcess } from '~/current-app.server';
import { becomeApp } from '../apps';
import { heic, jpeg, png, TRACES } from '../photos';

beforeAll(() => void becomeApp({}));
afterAll(() => setAppOfProcess(undefined));

const area = (width: number, height: number, background: string) =>
  ({ width, height, channels: 3, background }) as const;
const plain = (width: number, height: number, colour = 'white'): Sharp =>
  sharp({ create: area(width, height, colour) });

/** A picture whose left third is red, and whose right is blue. */
const twoColours = (width: number, height: number): Sharp =>
  plain(width, height, 'blue').composite([
    { input: { create: area(Math.round(width / 3), height, 'red') }, left: 0, top: 0 },
  ]);

async function made(sent: Uint8Array) {
  const result = await reencode([sent.subarray(0, 3), sent.subarray(3, 700), sent.subarray(700)]);
  if ('problem' in result) throw new Error(result.problem);
  expect(result.mediaType).toBe('image/jpeg');
  const bytes = Buffer.from(result.bytes);
  const { width, height } = await sharp(bytes).metadata();
  return { bytes, width, height };
}

async function colourAt(bytes: Buffer, left: number, top: number): Promise<string> {
  const point = sharp(bytes).extract({ left, top, width: 1, height: 1 });
  const [red = 0, green = 0, blue = 0] = await point.raw().toBuffer();
  if (Math.min(red, green, blue) > 200) return 'white';
  return red > blue ? 'red' : 'blue';
}

describe('a picture', () => {
  it.each([
    ['JPEG', jpeg()],
    ['progressive JPEG', jpeg({ frame: 0xc2 })],
    ['PNG', png()],
  ])('of the kind %s keeps nothing that was said about it, and stands upright', async (_, sent) => {
    for (const trace of TRACES) expect(sent.includes(trace)).toBe(true);
    const { bytes, width, height } = await made(sent);
    for (const trace of [...TRACES, 'Exif']) expect(bytes.includes(trace)).toBe(false);
    // It was held sideways.
    expect([width, height]).toEqual([480, 640]);
  });

  it('is to be seen as it was: turned, in print colours, and with nothing behind it', async () => {
    const sideways = twoColours(900, 600).jpeg().withMetadata({ orientation: 6 });
    const turned = await made(await sideways.toBuffer());
    expect([turned.width, turned.height]).toEqual([600, 900]);
    expect(await colourAt(turned.bytes, 300, 100)).toBe('red');
    expect(await colourAt(turned.bytes, 300, 800)).toBe('blue');

    const printed = await made(await twoColours(900, 600).toColourspace('cmyk').jpeg().toBuffer());
    expect((await sharp(printed.bytes).metadata()).space).toBe('srgb');
    expect(await colourAt(printed.bytes, 100, 300)).toBe('red');

    const clear = { ...area(700, 700, '#0000'), channels: 4 } as const;
    const { bytes } = await made(await sharp({ create: clear }).png().toBuffer());
    expect(await colourAt(bytes, 350, 350)).toBe('white');
  });

  it('has 2400 pixels at most', async () => {
    const large = await made(jpeg({ width: 4800, height: 3000, isBare: true }));
    expect([large.width, large.height]).toEqual([2400, 1500]);
  });
});

describe('a file that is not taken', () => {
  const gif = () => twoColours(700, 700).gif().toBuffer();
  const cut = async (picture: Sharp) => {
    const bytes = await picture.toBuffer();
    return bytes.subarray(0, Math.floor(bytes.length * 0.6));
  };
  const falseJpeg = async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), await gif()]);
  const large = () => plain(6000, 5000).jpeg({ progressive: true }).toBuffer();
  it.each<[string, () => Uint8Array | Promise<Uint8Array>, string]>([
    ['nothing', () => Buffer.alloc(0), 'type'],
    ['two letters', () => Buffer.from([0xff, 0xd8]), 'type'],
    ['a page', () => Buffer.from('<script>alert(1)</script>'), 'type'],
    ['a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'type'],
    ['a moving picture', gif, 'type'],
    ['WebP', () => plain(700, 700).webp().toBuffer(), 'type'],
    ['an iPhone’s photo', () => heic(), 'heic'],
    ['a row of them', () => heic('msf1'), 'heic'],
    ['AVIF', () => heic('avif'), 'type'],
    ['PDF', () => Buffer.from('%PDF-1.7\n'), 'pdf'],
    ['PDF after a line', () => Buffer.from('scanned\n%PDF-1.7\n'), 'pdf'],
    ['a JPEG without its last rows', () => cut(twoColours(900, 600).jpeg()), 'damaged'],
    ['half a PNG', () => cut(twoColours(900, 600).png()), 'damaged'],
    ['a GIF that begins like a JPEG', falseJpeg, 'damaged'],
    ['599 × 400', () => plain(599, 400).jpeg().toBuffer(), 'small'],
    ['400 × 599', () => plain(400, 599).png().toBuffer(), 'small'],
    ['a hundred megapixels', () => jpeg({ width: 10_000, height: 10_000 }), 'huge'],
    ['thirty, row by row in turns', large, 'huge'],
  ])('%s', async (_, make, problem) => expect(await reencode([await make()])).toEqual({ problem }));

  it('takes no more time than it may, and one at a time', async () => {
    const sent = [jpeg()];
    const both = await Promise.all([reencode(sent, 1), reencode(sent)]);
    expect(both).toMatchObject([{ problem: 'failed' }, { mediaType: 'image/jpeg' }]);
  });
});

it('twelve send at once, of twelve applications and twelve clients; the next one waits', async () => {
  const take = (application: number, client: number) =>
    takePlace({ applicationId: `application ${application}`, client: `client ${client}` });
  const places = await Promise.all(Array.from({ length: 12 }, (_, n) => take(n, n)));
  expect(places).not.toContain(undefined);
  const waits = take(12, 12);
  expect(isPlaceWanted()).toBe(true);
  const others = await Promise.all([take(13, 1), take(1, 13), take(12, 13), take(13, 12)]);
  expect(others).toEqual(Array(4).fill(undefined));
  places[0]?.();
  expect(await waits).toBeDefined();
  expect(isPlaceWanted()).toBe(false);
});
