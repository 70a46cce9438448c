import { readFileSync } from 'node:fs';

import sharp, { type Sharp } from 'sharp';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findLines, stack } from '~/photos/find-lines';
import { answersFromLines } from '~/photos/passport-answers';
import { readPassport, type Reading } from '~/photos/read-passport';
import { passportPicture } from '../../operations/demo/passport';
import type { Person } from '../../operations/demo/people';
import samples from '../passports/lines.json';
import { LONG } from '../rounds';

const WHITE = { r: 90, g: 90, b: 90 };
type Picture = Sharp | Promise<Sharp>;

/** How a passport lies in a picture. */
const QUALITIES: Record<string, (page: Sharp) => Picture> = {
  clean: (page) => page,
  tilted: (page) => page.rotate(3, { background: WHITE }),
  blurred: (page) => page.blur(1.8),
  'tilted, from the side': (page) => warped(page, -6, 0.18),
};

/** As a page looks that is turned and seen from the side. */
async function warped(page: Sharp, degrees: number, aside: number): Promise<Sharp> {
  const { data, info } = await page.greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const turn = (degrees * Math.PI) / 180;
  const pixels = Buffer.alloc(width * height, 90);
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y] = [(at % width) / width - 0.5, Math.floor(at / width) / height - 0.5];
    const far = (1 + aside * x + aside * 0.6 * y) * 0.8;
    const [right, down] = [(x * width) / far, (y * height) / far];
    const fromX = Math.round(right * Math.cos(turn) + down * Math.sin(turn) + width / 2);
    const fromY = Math.round(down * Math.cos(turn) - right * Math.sin(turn) + height / 2);
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

/** Reads a picture as the browser does. @param seen what Tesseract is said to have read */
async function read(picture: Sharp, seen?: [string, string]): Promise<Reading | undefined> {
  const sized = sharp(await picture.png().toBuffer()).resize(1800, 1800, { fit: 'inside' });
  const { data, info } = await sized.greyscale().raw().toBuffer({ resolveWithObject: true });
  const strips = findLines({ ...info, pixels: new Uint8Array(data) });
  if (!strips) return undefined;
  const { width, height, pixels } = stack(strips);
  const lines = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
  const { text } = (await tesseract.recognize(lines)).data;
  const [first = '', second = ''] = text.split('\n').map((line) => line.replace(/\s/g, ''));
  return readPassport(strips, seen ?? [first, second], TODAY);
}

const ALL = Object.keys(samples).flatMap((name) =>
  Object.keys(QUALITIES).map((quality) => [name, quality] as const),
);
const READ = LONG ? ALL : [['fra', 'tilted, from the side'] as const];

it.each(READ)('reads the passport %s, %s, without a mistake', async (name, quality) => {
  const page = sharp(readFileSync(`tests/passports/${name}.jpg`));
  const reading = await read(await QUALITIES[quality]!(page));
  expect([reading?.lines, reading?.isSure]).toEqual([samples[name as keyof typeof samples], true]);
});

const PERSON: Person = {
  ...{ first: 'Chloé Hélène', last: 'Lefèvre', birth: '1991-04-12', country: 'FR' },
  ...{ printed: 'FRA', city: 'Lyon', passport: '19FV04512' },
  sex: 'F',
};
const TODAY = '2026-11-27';
const LINES = samples.fra as [string, string];

describe('what is not certain', () => {
  it('a number whose check digit is wrong is not filled in; the one sign that mends it is offered', async () => {
    const wrong = LINES[1].replace('19FV04512', '19FVO4512');
    const reading = await read(sharp(await passportPicture(PERSON, [LINES[0], wrong])));
    expect(reading).toMatchObject({ isSure: false, lines: [LINES[0], wrong] });
    const [person, passport] = [reading!.answers[1], reading!.answers[2]];
    expect(passport).toMatchObject({ 'passport_expiry_date.year': '2029' });
    expect(passport).not.toHaveProperty('passport_number');
    expect(passport).not.toHaveProperty('passport_line_2');
    expect(person).toMatchObject({ last_name: 'LEFEVRE', 'date_of_birth.year': '1991' });
    expect(person).not.toHaveProperty('gender');
    const meant = { field: 'number', read: '19FVO4512', meant: '19FV04512', at: 4 };
    expect(reading?.offers).toMatchObject([{ ...meant, then: { lines: LINES, isSure: true } }]);
    expect(reading!.offers[0]!.then.answers[2]['passport_number']).toBe('19FV04512');
  });

  it.each([
    ['another name', LINES[0].replace('LEFEVRE', 'LEFEBRE'), 1],
    ['nothing', '', 'PFRALEFEVRECHLOEHELENE'.length],
  ])('a name of which Tesseract has read %s is not filled in', async (_, line, doubts) => {
    const page = sharp(readFileSync('tests/passports/fra.jpg'));
    const reading = await read(page, [line, LINES[1]]);
    expect(reading).toMatchObject({ lines: LINES, isSure: false });
    expect(reading?.doubts.filter((doubt) => doubt.line === 1)).toHaveLength(doubts);
    expect(reading?.answers[1]).not.toHaveProperty('last_name');
    expect(reading?.answers[2]).toHaveProperty('passport_number', '19FV04512');
  });

  it.each([
    [
      'without a passport',
      sharp({ create: { width: 900, height: 600, channels: 3, background: WHITE } }),
    ],
    ['with lines that are no passport’s', undefined],
  ])('a picture %s is none', async (_, picture) => {
    const others = ['IDFRALEFEVRE<<<<<<<<<<<<<<<<<<<<<<<<12345678', LINES[1]];
    expect(await read(picture ?? sharp(await passportPicture(PERSON, others)))).toBeUndefined();
  });
});

describe('the answers that the lines give', () => {
  it('are those of steps 1 and 2 that a passport prints', () => {
    expect(answersFromLines({ lines: LINES }, {}, TODAY)).toEqual({
      1: {
        ...{ last_name: 'LEFEVRE', first_name: 'CHLOE HELENE', gender: 'female' },
        ...{ 'date_of_birth.day': '12', 'date_of_birth.month': '4', 'date_of_birth.year': '1991' },
        citizenship: 'FR',
      },
      2: {
        ...{ passport_line_1: LINES[0], passport_line_2: LINES[1] },
        ...{ passport_number: '19FV04512', passport_number_confirm: '19FV04512' },
        passport_issuing_country: 'FR',
        'passport_expiry_date.day': '30',
        'passport_expiry_date.month': '3',
        'passport_expiry_date.year': '2029',
      },
    });
  });

  it('leave a name with its accents as it was typed', () => {
    const saved = { 1: { first_name: 'Chloé Hélène', last_name: 'Lefèvre' } };
    expect(answersFromLines({ lines: LINES }, saved, TODAY)?.[1]).not.toHaveProperty('last_name');
    const other = { 1: { ...saved[1], last_name: 'Lefort' } };
    expect(answersFromLines({ lines: LINES }, other, TODAY)?.[1]['last_name']).toBe('LEFEVRE');
  });

  it('are none of a line that is in doubt', () => {
    const answers = answersFromLines({ lines: LINES, doubtful: [1] }, {}, TODAY);
    expect(answers?.[1]).not.toHaveProperty('last_name');
    expect(answers?.[2]).not.toHaveProperty('passport_line_1');
    expect(answers?.[2]).toHaveProperty('passport_number');
  });

  it('are none for what is no passport, and without what a check digit does not prove', () => {
    expect(answersFromLines({ lines: ['Bonjour', LINES[1]] }, {}, TODAY)).toBeUndefined();
    expect(answersFromLines({ lines: [LINES[0], '<script>'] }, {}, TODAY)).toBeUndefined();
    const wrong: [string, string] = [LINES[0], LINES[1].replace('910412', '910413')];
    const answers = answersFromLines({ lines: wrong }, {}, TODAY);
    expect(answers?.[1]).not.toHaveProperty(['date_of_birth.year']);
    expect(answers?.[1]).not.toHaveProperty('gender');
    expect(answers?.[2]).toHaveProperty('passport_number');
  });
});
