import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';

import {
  changeSquare,
  type Face,
  greysOf,
  lookOf,
  LOOKED_AT,
  mergeFaces,
  squareFor,
  portraitWarnings,
} from '~/photos/portrait-hints';
import { PORTRAIT } from '../../operations/demo/pictures';
import { decisionTables } from '../decision-tables';

const DRAWING = Buffer.from(PORTRAIT);
const SIZE = { width: 1200, height: 1200 };
/** Where the detector finds the drawing's face. */
const FACE: Face = { x: 313, y: 312, width: 546, height: 515, score: 0.86 };
const numbersIn = (text: string) => text.split(' ').map(Number);
const small = (x: number): Face => ({ x, y: 400, width: 270, height: 280, score: 0.8 });

async function seen(change: (portrait: Sharp) => Sharp) {
  const drawn = sharp(await sharp(DRAWING).resize(SIZE).jpeg().toBuffer());
  const cut = sharp(await change(drawn).png().toBuffer()).resize(LOOKED_AT, LOOKED_AT);
  const data = new Uint8ClampedArray(await cut.ensureAlpha().raw().toBuffer());
  const { x, y, width, height } = FACE;
  const [left, top, wide, high] = [x, y, width, height].map((side) => side / SIZE.width);
  const look = lookOf(greysOf({ width: LOOKED_AT, height: LOOKED_AT, data }), {
    x: left!,
    y: top!,
    width: wide!,
    height: high!,
  });
  return portraitWarnings({ size: SIZE, faces: [FACE], hasLines: false, look });
}

const stripes = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200">${Array.from(
    { length: 15 },
    (_, n) => `<path d="M0 ${n * 80}h240v40H0zM960 ${n * 80}h240v40H960z" fill="#765"/>`,
  ).join('')}</svg>`,
);
const shade = (opacity: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200"><ellipse cx="600" cy="620" rx="330" ry="480" opacity="${opacity}"/></svg>`,
  );

describe('what the pixels say', () => {
  it.each<[string, (portrait: Sharp) => Sharp, string[]]>([
    ['a good portrait', (portrait) => portrait, []],
    ['a little out of focus', (portrait) => portrait.blur(2), []],
    ['out of focus', (portrait) => portrait.blur(8), ['blurred']],
    ['in the evening', (portrait) => portrait.linear(0.6), []],
    ['in the dark', (portrait) => portrait.linear(0.25), ['dark', 'background']],
    ['against a window', (portrait) => portrait.composite([{ input: shade(0.75) }]), ['backlit']],
    ['of dark skin in good light', (one) => one.composite([{ input: shade(0.45) }]), []],
    ['with a flash', (portrait) => portrait.linear(1.9, 20), ['bright']],
    ['before a shelf', (one) => one.composite([{ input: stripes }]), ['background']],
  ])('%s', async (_, change, warnings) => {
    expect(await seen(change)).toEqual(warnings);
  });
});

decisionTables(import.meta.url, {
  'what the boxes say: width and height of a picture, of its faces, whether it has printed lines': (
    _,
    size,
    boxes,
    lines,
  ) => {
    const [width = 0, height = 0] = numbersIn(size);
    const faces = (boxes?.split(', ') ?? []).map((box) => {
      const [x = 0, y = 0, width = 0, height = 0] = numbersIn(box);
      return { x, y, width, height, score: 0.8 };
    });
    const hasLines = lines === 'lines';
    const found = portraitWarnings({ size: { width, height }, faces, hasLines, look: undefined });
    return found.join(' ') || undefined;
  },
});

it('boxes of one face are one, and uncertain ones none', () => {
  const again = { ...FACE, x: FACE.x + 40, score: 0.7 };
  expect(mergeFaces([again, FACE, { ...small(0), y: 0, score: 0.4 }])).toEqual([FACE]);
});

describe('the square', () => {
  it('shows the head at 55 % of its height, above the middle', () => {
    const { side, y } = squareFor(small(500), SIZE);
    expect((280 * 1.35) / side).toBeCloseTo(0.55);
    expect((400 - 280 * 0.42 - y) / side).toBeCloseTo(0.16);
  });

  it('stays in the picture, however it is moved and enlarged', () => {
    const all = squareFor(undefined, { width: 900, height: 1200 });
    expect(all).toEqual({ x: 0, y: 100, side: 900 });
    const size = { width: 900, height: 1200 };
    expect(changeSquare(all, { scale: 2 }, size)).toEqual(all);
    expect(changeSquare(all, { y: 1 }, size)).toEqual({ x: 0, y: 300, side: 900 });
    const half = changeSquare(all, { scale: 0.5 }, size);
    expect(half).toEqual({ x: 225, y: 325, side: 450 });
    expect(changeSquare(half, { x: -0.1 }, size)).toEqual({ x: 180, y: 325, side: 450 });
    expect(changeSquare(half, { scale: 0.01 }, size).side).toBe(300);
  });
});
