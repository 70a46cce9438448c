/**
 * Draws the signs of OCR-B that `app/photos` compares passports with, where the font is installed
 * (Debian's fonts-ocr-b): `npx tsx scripts/ocr-b.ts`.
 */
import { writeFileSync } from 'node:fs';

import sharp from 'sharp';

import { CELLS, cellsAt, firstPlace } from '~/photos/compare-signs';
import { findLines, PITCH } from '~/photos/find-lines';

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<';
const PLACES = 44;

const sums = new Map([...SIGNS].map((sign) => [sign, new Float32Array(CELLS.wide * CELLS.high)]));
for (let shift = 0; shift < SIGNS.length; shift += 1) {
  const line = (from: number) =>
    Array.from({ length: PLACES }, (_, n) => SIGNS[(n + shift + from) % SIGNS.length]!);
  const lines = [line(0), line(18)];
  const text = lines.map((signs, n) => {
    const words = signs.join('').replaceAll('<', '&lt;');
    return `<text x="92" y="${140 + n * 90}">${words}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="400">
    <rect width="1500" height="400" fill="#fff"/>
    <g font-family="OCR B" font-size="40.4" fill="#1a1a1a">${text.join('')}</g></svg>`;
  const drawn = sharp(Buffer.from(svg)).greyscale().blur(1).raw();
  const { data, info } = await drawn.toBuffer({ resolveWithObject: true });
  const strips = findLines({ ...info, pixels: new Uint8Array(data) });
  for (const [n, strip] of (strips ?? []).entries()) {
    const start = firstPlace(strip);
    const first = Math.round((strip.middles[0]! - start) / PITCH);
    for (const [place, sign] of lines[n]!.entries()) {
      const sum = sums.get(sign)!;
      const cells = cellsAt(strip, start + (first + place) * PITCH);
      for (const [at, cell] of cells.entries()) sum[at]! += cell / (2 * PLACES);
    }
  }
}
const digits = (sum: Float32Array) => {
  const most = Math.max(...sum);
  return Array.from(sum, (cell) => Math.round((cell / most) * 15).toString(16)).join('');
};
const shapes = Object.fromEntries([...sums].map(([sign, sum]) => [sign, digits(sum)]));
writeFileSync('app/photos/ocr-b.json', `${JSON.stringify(shapes, null, 2)}\n`);
