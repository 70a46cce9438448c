import { readFileSync } from 'node:fs';

import sharp, { type Sharp } from 'sharp';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compareSigns } from '~/photos/compare-signs';
import { findLines, stack } from '~/photos/find-lines';
import { answersFromLines } from '~/domain/application/passport-answers';
import { readPassport, type Reading } from '~/photos/read-passport';
import { checkDigit } from '~/domain/application/printed-lines';
import { passportPicture } from '../../operations/demo/pictures';
import { SPECIMEN } from '../../operations/demo/people';
import { decisionTables } from '../decision-tables';
import samples from '../passports/lines.json';
import { someOf } from '../rounds';

const TODAY = '2026-11-27';
const WHITE = { r: 90, g: 90, b: 90 };
type Picture = Sharp | Promise<Sharp>;

/** How a passport lies in a picture. */
const QUALITIES: Record<string, (page: Sharp) => Picture> = {
  'tilted, from the side': (page) => warped(page, -6, 0.18),
  tilted: (page) => page.rotate(3, { background: WHITE }),
  blurred: (page) => page.blur(1.8),
  clean: (page) => page,
};

/** As a page looks that is turned, seen from the side, and bent. */
async function warped(page: Sharp, degrees: number, aside: number, bend = 0): Promise<Sharp> {
  const { data, info } = await page.greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const turn = (degrees * Math.PI) / 180;
  const pixels = Buffer.alloc(width * height, 90);
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y] = [(at % width) / width - 0.5, Math.floor(at / width) / height - 0.5];
    const far = (1 + aside * x + aside * 0.6 * y) * 0.8;
    const [right, down] = [(x * width) / far, (y * height) / far];
    const fromX = Math.round(right * Math.cos(turn) + down * Math.sin(turn) + width / 2);
    const fromY = Math.round(
      down * Math.cos(turn) - right * Math.sin(turn) + height / 2 + bend * x * x,
    );
    const isInside = fromX >= 0 && fromY >= 0 && fromX < width && fromY < height;
    if (isInside) pixels[at] = data[fromY * width + fromX]!;
  }
  return sharp(pixels, { raw: { width, height, channels: 1 } });
}

let tesseract: Worker;
beforeAll(async () => {
  tesseract = await createWorker('eng', OEM.TESSERACT_ONLY, {
    ...{ langPath: 'build/client/assets/tesseract-7.0.0', gzip: false, cacheMethod: 'none' },
    ...{ legacyCore: true, legacyLang: true },
  });
  await tesseract.setParameters({
    tessedit_char_whitelist: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<',
    tessedit_pageseg_mode: PSM.SINGLE_BLOCK,
  });
});
afterAll(() => tesseract.terminate());

async function read(picture: Sharp): Promise<Reading | undefined> {
  const sized = sharp(await picture.png().toBuffer()).resize(1800, 1800, { fit: 'inside' });
  const { data, info } = await sized.greyscale().raw().toBuffer({ resolveWithObject: true });
  const strips = findLines({ ...info, pixels: new Uint8Array(data) });
  if (!strips) return undefined;
  const seen = strips.map(compareSigns);
  const { width, height, pixels } = stack(strips, seen);
  const lines = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
  const { text } = (await tesseract.recognize(lines)).data;
  const [first = '', second = ''] = text.split('\n').map((line) => line.replace(/\s/g, ''));
  return readPassport(seen, [first, second], TODAY);
}

const ALL = Object.keys(samples).flatMap((name) =>
  Object.keys(QUALITIES).map((quality) => [name, quality] as const),
);

it.each(someOf(ALL, 1))('reads the passport %s, %s, without a mistake', async (name, quality) => {
  const page = sharp(readFileSync(`tests/passports/${name}.jpg`));
  const reading = await read(await QUALITIES[quality]!(page));
  expect(reading?.lines).toEqual(samples[name as keyof typeof samples]);
  if (quality === 'clean') expect(reading?.isSure).toBe(true);
});

const LINES = samples.fra as [string, string];
const printed = async (...lines: string[]) => sharp(await passportPicture(SPECIMEN, lines));

/** A picture of the lines with something on it, at a place of it. */
async function under(input: Uint8Array | Sharp, left: number, top: number, above = 0) {
  const page = (await printed(...LINES)).extend({ top: above, background: WHITE });
  const put = input instanceof Uint8Array ? input : await input.png().toBuffer();
  return sharp(await page.png().toBuffer()).composite([{ input: Buffer.from(put), left, top }]);
}
const bar = () => sharp({ create: { width: 162, height: 2, channels: 3, background: '#222' } });

it.each<[string, () => Picture]>([
  ['on a bent page', async () => warped(await printed(...LINES), 0, 0, 120)],
  ['in pale print', async () => (await printed(...LINES)).linear(0.25, 180)],
  ['whose last signs run together', () => under(bar(), 1066, 626)],
  ['below others', async () => under(await passportPicture(SPECIMEN, samples.gbr), 0, 0, 780)],
])('reads lines %s', async (_, picture) => {
  expect((await read(await picture()))?.lines).toEqual(LINES);
});

it('what is read again begins with the first place that was compared', () => {
  const [length, height] = [2000, 72];
  const pixels = Uint8Array.from({ length: length * height }, (_, at) => (at % length) % 250);
  const strip = { width: length, height, pixels, middles: [] };
  const both = stack([strip, strip], [[{ column: 100 }], [{ column: 136 }]]);
  expect([0, height].map((y) => [...both.pixels.subarray(y * both.width).slice(35, 37)])).toEqual([
    [255, 82],
    [255, 118],
  ]);
});

/** What is filled in, by the names of the form; a date by that of its year. */
const FILLED = {
  ...{ last_name: 'LEFEVRE', first_name: 'CHLOE HELENE', gender: 'female', citizenship: 'FR' },
  ...{ 'date_of_birth.day': '12', 'date_of_birth.month': '4', 'date_of_birth.year': '1991' },
  ...{ passport_line_1: LINES[0], passport_line_2: LINES[1], passport_issuing_country: 'FR' },
  ...{ passport_number: '19FV04512', passport_number_confirm: '19FV04512' },
  ...{ 'passport_expiry_date.day': '30', 'passport_expiry_date.month': '3' },
  'passport_expiry_date.year': '2029',
};
/** A second line with its last check digit right. */
const withLast = (line: string) => {
  const digits = line.slice(0, 10) + line.slice(13, 20) + line.slice(21, 43);
  return line.slice(0, -1) + checkDigit(digits);
};
const NAMES = ['last_name', 'first_name'];
const NUMBER = ['passport_number', 'passport_number_confirm'];
const without = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(FILLED).filter(([name]) => !names.includes(name)));
const filledBy = (reading: Pick<Reading, 'answers'> | undefined) =>
  reading && { ...reading.answers[1], ...reading.answers[2] };

describe('what is not certain is not filled in', () => {
  type Close = { line: number; place: number; next: string };
  /** What a sharp picture looks like, but for signs that look like others, too. */
  const seenAs = (lines: readonly string[], ...close: Close[]) =>
    lines.map((signs, n) =>
      [...signs].map((sign, at) => {
        const found = close.find(({ line, place }) => line === n + 1 && place === at + 1);
        return { sign, next: found?.next ?? '<', margin: found ? 0.01 : 0.2, column: 0 };
      }),
    );

  it('a number whose check digit is wrong: the signs that mend it are offered', () => {
    const wrong = LINES[1].replace('19FV04512', '19FVO4512');
    const lines = [LINES[0], wrong] as const;
    const reading = readPassport(seenAs(lines), lines, TODAY);
    expect(reading).toMatchObject({ isSure: false, lines });
    expect(filledBy(reading)).toEqual(without([...NUMBER, 'passport_line_2', 'gender']));
    const meant = { field: 'number', read: '19FVO4512', meant: '19FV04512', at: 4 };
    expect(reading?.offers).toMatchObject([{ ...meant, then: { lines: LINES, isSure: true } }]);
    expect(filledBy(reading?.offers[0]?.then)).toEqual(FILLED);
  });

  it.each([
    ['a name', LINES[0].replace('LEFEVRE', 'LEFFVRE'), 9, NAMES],
    ['a country', LINES[0].replace('FRA', 'ERA'), 3, ['passport_issuing_country']],
  ])('%s that Tesseract has read otherwise', (_, text, place, unclear) => {
    const reading = readPassport(seenAs(LINES), [text, LINES[1]], TODAY);
    expect(reading).toMatchObject({ isSure: false, lines: LINES, doubts: [{ line: 1, place }] });
    expect(filledBy(reading)).toEqual(without([...unclear, 'passport_line_1']));
  });

  it('a line of which Tesseract has read nothing', () => {
    const reading = readPassport(seenAs(LINES), ['', ''], TODAY);
    expect(reading?.doubts).toHaveLength('FRALEFEVRECHLOEHELENE'.length);
    const unclear = [...NAMES, 'passport_issuing_country', 'passport_line_1'];
    expect(filledBy(reading)).toEqual(without(unclear));
  });

  const WITH_6 = LINES[1].replace('19FV045120', '19FV045625');
  it.each([
    ['a sign that its check digit does not tell from another', 2, 8, 'G', NUMBER],
    ['a sign of what has no check digit', 2, 11, 'P', ['citizenship']],
  ])('%s', (_, line, place, next, unclear) => {
    const seen = seenAs([LINES[0], withLast(WITH_6)], { line, place, next });
    const reading = readPassport(seen, LINES, TODAY);
    expect(reading).toMatchObject({ isSure: false, doubts: [{ line, place }] });
    const filled = Object.keys(filledBy(reading) ?? {}).sort();
    expect(filled).toEqual(Object.keys(without([...unclear, 'passport_line_2'])).sort());
  });

  const withNumber = (number: string) =>
    [LINES[0], withLast(LINES[1].replace('19FV045120', number))] as const;
  const LIKE_25 = [1, 2].map((place, n) => ({ line: 2, place, next: '25'[n]! }));
  it.each([
    ['that Tesseract has read otherwise', [], '25SZ081524'],
    ['that look like others', LIKE_25, 'ZSSZ081524'],
  ])('two signs %s, with which the check digit is right, too', (_, close, again) => {
    const seen = seenAs(withNumber('ZSSZ081524'), ...close);
    const reading = readPassport(seen, withNumber(again), TODAY);
    expect(reading?.doubts).toEqual([1, 2].map((place) => ({ line: 2, place })));
    expect(Object.keys(filledBy(reading) ?? {})).not.toEqual(expect.arrayContaining(NUMBER));
  });

  it('a sign of a name that looks like another one, too', () => {
    const doubt = { line: 1, place: 9 };
    const reading = readPassport(seenAs(LINES, { ...doubt, next: 'F' }), LINES, TODAY);
    expect(reading).toMatchObject({ isSure: false, doubts: [doubt] });
    expect(filledBy(reading)).toEqual(without([...NAMES, 'passport_line_1']));
  });

  it('but the first sign is, whatever else it looks like', () => {
    const seen = seenAs([`F${LINES[0].slice(1)}`, LINES[1]], { line: 1, place: 1, next: 'P' });
    expect(readPassport(seen, LINES, TODAY)).toMatchObject({ isSure: true, lines: LINES });
  });

  it('a letter in place of a check digit', () => {
    const wrong = `${LINES[1].slice(0, 42)}O${LINES[1].at(-1)}`;
    expect(readPassport(seenAs([LINES[0], wrong]), LINES, TODAY)?.isSure).toBe(false);
  });

  it('but a sign that its check digit tells from the other is', () => {
    const seen = seenAs([LINES[0], withLast(WITH_6)], { line: 2, place: 8, next: 'B' });
    expect(readPassport(seen, LINES, TODAY)).toMatchObject({ isSure: true, doubts: [] });
  });

  it('of a picture without a passport nothing', async () => {
    const create = { width: 900, height: 600, channels: 3, background: WHITE } as const;
    expect(await read(sharp({ create }))).toBeUndefined();
  });

  it.each([
    ['that are no passport’s', ['IDFRALEFEVRE<<<<<<<<<<<<<<<<<<<<<<<<12345678', LINES[1]]],
    [
      'in which no check digit is right',
      [LINES[0], LINES[1].replace(/\d/g, (digit) => '1234567890'[Number(digit)]!)],
    ],
  ] as const)('of lines %s nothing', (_, lines) =>
    expect(readPassport(seenAs(lines), lines, TODAY)).toBeUndefined(),
  );
});

decisionTables(import.meta.url, {
  'what the lines of a passport leave out, by a doubt and a change of the second line': (
    _,
    doubt?: string,
    change?: string,
  ) => {
    const [line = 0, place = 0] = doubt?.split('/').map(Number) ?? [];
    const [from = '', to = ''] = change?.split(' to ') ?? [];
    const lines: [string, string] = [LINES[0], LINES[1].replace(from, to)];
    const doubts = doubt ? [{ line: line as 1 | 2, place }] : [];
    const answers = answersFromLines({ lines, doubts }, {}, TODAY);
    const filled = (answers && filledBy({ answers })) ?? {};
    const left = Object.keys(FILLED).filter((name) => filled[name] === undefined);
    expect(filled).toEqual(without(left));
    return left.join(' ') || undefined;
  },
});

describe('the answers that the lines give', () => {
  const answersOf = (lines: [string, string], saved = {}, doubts: Reading['doubts'] = []) =>
    answersFromLines({ lines, doubts }, saved, TODAY);
  const inLine2 = (from: string, to: string): [string, string] => [
    LINES[0],
    LINES[1].replace(from, to),
  ];

  it('are none for what is no passport', () => {
    expect(answersOf(['Bonjour', LINES[1]])).toBeUndefined();
    expect(answersOf([LINES[0], '<script>'])).toBeUndefined();
  });

  it('have the latest century in which somebody can be born', () => {
    const bornOn = (printed: string) => {
      const date = printed + checkDigit(printed);
      return answersOf(inLine2('9104129', date))?.[1]['date_of_birth.year'];
    };
    expect([bornOn('261127'), bornOn('261128'), bornOn('270101')]).toEqual([
      '2026',
      '1926',
      '1927',
    ]);
  });

  it.each([
    ['its accents', LINES, 'Chloé Hélène', 'Lefèvre', true],
    ['another spelling', LINES, 'Chloé Hélène', 'Lefort', false],
  ] as const)('with a name typed with %s', (_, lines, first_name, last_name, isKept) => {
    const person = answersOf([...lines], { 1: { first_name, last_name } })?.[1];
    expect(person?.['last_name']).toBe(isKept ? undefined : 'LEFEVRE');
  });

  it('leave a name that the passport has no room for as it was typed', () => {
    const first = `P<FRALEFEVRE<<${'CHLOE<HELENE<MARGUERITE<VICTOIRE'.slice(0, 30)}`;
    const typed = { first_name: 'Chloé Hélène Marguerite Victoire', last_name: 'Lefèvre' };
    expect(answersOf([first, LINES[1]], { 1: typed })?.[1]).not.toHaveProperty('first_name');
  });
});
