import { composeLines } from '~/domain/application/compare-lines';
import { countryOf } from '~/domain/application/country-codes';
import { PLACES } from '~/domain/application/printed-lines';
import { sentName } from '~/domain/application/sent-name';
import { CELLS } from '~/photos/compare-signs';
import drawn from '~/photos/ocr-b.json' with { type: 'json' };
import type { Person } from './people';
import drawing from './portrait.json' with { type: 'json' };

const SHAPES: Readonly<Record<string, string>> = drawn;

export function printedLines(person: Person, expiry: string): [string, string] {
  const { last: lastName, first: firstName, passport: number, birth } = person;
  const sex = person.sex === 'M' ? 'male' : 'female';
  const own = { lastName, firstName, number, birth, expiry, sex } as const;
  const country = countryOf(person.printed) ?? '';
  const lines = composeLines({ ...own, issuingCountry: country, citizenship: country });
  if (!lines) throw new Error(`${person.last} has no passport`);
  return lines;
}

const WIDTH = (PLACES + 3) * CELLS.wide;
const HEIGHT = 520;
const ENLARGED = 1.5;

/** A picture of an invented passport page, in the face of passports; a PNG in shades of grey. */
export async function passportPicture(person: Person, lines: readonly string[]) {
  const pixels = Buffer.alloc(WIDTH * HEIGHT, 236);
  const write = (text: string, left: number, top: number) => {
    for (const [n, sign] of [...text].entries()) {
      for (const [cell, digit] of [...(SHAPES[sign] ?? '')].entries()) {
        const x = left + n * CELLS.wide + (cell % CELLS.wide);
        const y = top + Math.floor(cell / CELLS.wide);
        pixels[y * WIDTH + x] = 24 + Math.round((parseInt(digit, 16) / 15) * 212);
      }
    }
  };
  // Where a photo would be; nobody is to be taken for a person.
  for (let y = 90; y < 340; y += 1) pixels.fill(190, y * WIDTH + 30, y * WIDTH + 240);
  write('INVENTED', 62, 200);
  const { last, first, birth, passport } = person;
  const texts = ['DEMONSTRATION ONLY', '', sentName(last), sentName(first), birth, '', passport];
  for (const [n, text] of texts.entries()) write(text, 270, 50 + n * 42);
  for (const [n, line] of lines.entries()) write(line, 1.5 * CELLS.wide, 400 + n * 52);
  const { default: sharp } = await import('sharp');
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .resize(WIDTH * ENLARGED)
    .toColourspace('b-w')
    .png()
    .toBuffer();
}

/** An invented traveller before a plain wall: nobody is to be taken for a person. */
export const PORTRAIT = `${drawing.svg.join('\n')}\n`;

export async function portraitPicture(): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(PORTRAIT)).resize(900, 900, { fit: 'cover' }).jpeg().toBuffer();
}
