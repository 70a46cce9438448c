import { deflateSync, inflateSync } from 'node:zlib';

import { chunk } from '../operations/demo/passport';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 256;

/**
 * The same picture with at most 256 colours, those that it has most of: a page of text has little more,
 * and its file is a third as large.
 *
 * @param png as Chromium writes it: 8 bits a channel, without interlacing
 */
export function withPalette(png: Uint8Array): Buffer {
  const { width, height, pixels } = read(Buffer.from(png));
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const placeOf = (colour: number) => {
    const known = places.get(colour) ?? nearest(palette, colour);
    places.set(colour, known);
    return known;
  };
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (const [n, colour] of pixels.entries()) rows[n + Math.floor(n / width) + 1] = placeOf(colour);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(3, 9);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => channels(colour)))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;

function nearest(palette: readonly number[], colour: number): number {
  const wanted = channels(colour);
  const distances = palette.map((one) =>
    channels(one).reduce((sum, channel, n) => sum + (channel - (wanted[n] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** The colours of a picture, row by row, each a number. */
function read(png: Buffer): { width: number; height: number; pixels: number[] } {
  const parts: Buffer[] = [];
  let [width, height, size] = [0, 0, 3];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const content = png.subarray(at + 8, at + 8 + length);
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') {
      [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
      size = content[9] === 6 ? 4 : 3;
    }
    if (type === 'IDAT') parts.push(content);
    at += length + 12;
  }
  const filtered = inflateSync(Buffer.concat(parts));
  const line = width * size;
  const plain = Buffer.alloc(line * height);
  const pixels: number[] = [];
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (line + 1)] ?? 0;
    for (let x = 0; x < line; x += 1) {
      const left = x < size ? 0 : (plain[y * line + x - size] ?? 0);
      const up = y === 0 ? 0 : (plain[(y - 1) * line + x] ?? 0);
      const corner = x < size || y === 0 ? 0 : (plain[(y - 1) * line + x - size] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      plain[y * line + x] = (filtered[y * (line + 1) + 1 + x] ?? 0) + guess;
    }
    for (let x = 0; x < line; x += size) pixels.push(plain.readUIntBE(y * line + x, 3));
  }
  return { width, height, pixels };
}

/** The filter of that name (PNG, section 9.4). */
function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
