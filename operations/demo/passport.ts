import { checkDigit } from '~/domain/application/printed-lines';
import { sentName } from '~/domain/application/sent-name';
import type { Person } from './people';

const PLACES = 44;

/** The two printed lines of an invented passport (ICAO Doc 9303-4). */
export function printedLines(person: Person, expiry: string): [string, string] {
  const filled = (text: string) => sentName(text).replaceAll(/[^A-Z]+/g, '<');
  const names = `P<${person.printed.padEnd(3, '<')}${filled(person.last)}<<${filled(person.first)}`;
  const short = (day: string) => day.slice(2).replaceAll('-', '');
  const number = person.passport.padEnd(9, '<');
  const withDigit = (text: string) => text + checkDigit(text);
  const optional = '<'.repeat(14);
  const [first, birth, end] = [number, short(person.birth), short(expiry)].map(withDigit);
  const second = `${first}${person.printed.padEnd(3, '<')}${birth}${person.sex}${end}${optional}<`;
  // Over the number, the dates and what is optional, with their digits.
  const all = `${first}${birth}${end}${optional}<`;
  return [names.padEnd(PLACES, '<').slice(0, PLACES), second + checkDigit(all)];
}

/** Letters of five by seven dots, a row of each in two figures of base 16. */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '0e11131519110e',
  '1': '040c040404040e',
  '2': '0e11010204081f',
  '3': '1f02040201110e',
  '4': '02060a121f0202',
  '5': '1f101e0101110e',
  '6': '0608101e11110e',
  '7': '1f010204080808',
  '8': '0e11110e11110e',
  '9': '0e11110f01020c',
  A: '0e11111f111111',
  B: '1e11111e11111e',
  C: '0e11101010110e',
  D: '1c12111111121c',
  E: '1f10101e10101f',
  F: '1f10101e101010',
  G: '0e11101711110f',
  H: '1111111f111111',
  I: '0e04040404040e',
  J: '0702020202120c',
  K: '11121418141211',
  L: '1010101010101f',
  M: '111b1515111111',
  N: '11111915131111',
  O: '0e11111111110e',
  P: '1e11111e101010',
  Q: '0e11111115120d',
  R: '1e11111e141211',
  S: '0f10100e01011e',
  T: '1f040404040404',
  U: '1111111111110e',
  V: '11111111110a04',
  W: '1111111515150a',
  X: '11110a040a1111',
  Y: '1111110a040404',
  Z: '1f01020408101f',
  '<': '02040810080402',
  '-': '0000001f000000',
  ' ': '00000000000000',
};

const SCALE = 4;
const WIDTH = (PLACES * 6 + 12) * SCALE;
const HEIGHT = 720;

/** A picture of an invented passport page, with its lines to read; a PNG in shades of grey. */
export async function passportPicture(
  person: Person,
  lines: readonly string[],
): Promise<Uint8Array> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT, 236);
  const fill = (x: number, y: number, width: number, height: number, shade: number) => {
    for (let row = y; row < y + height; row += 1) {
      pixels.fill(shade, row * WIDTH + x, row * WIDTH + x + width);
    }
  };
  const write = (text: string, x: number, y: number) => {
    for (const [n, sign] of [...text].entries()) {
      const glyph = GLYPHS[sign] ?? GLYPHS[' '] ?? '';
      for (let dots = 0; dots < 7; dots += 1) {
        const row = parseInt(glyph.slice(dots * 2, dots * 2 + 2), 16);
        for (let bit = 0; bit < 5; bit += 1) {
          if (!((row >> (4 - bit)) & 1)) continue;
          fill(x + (n * 6 + bit) * SCALE, y + dots * SCALE, SCALE, SCALE, 24);
        }
      }
    }
  };
  // Where a photo would be; nobody is to be taken for a person.
  fill(40, 160, 260, 330, 190);
  write('INVENTED', 74, 310);
  const { last, first, birth, passport } = person;
  const texts = ['DEMONSTRATION ONLY', '', sentName(last), sentName(first), birth, '', passport];
  for (const [n, text] of texts.entries()) write(text, 350, 60 + n * 64);
  for (const [n, line] of lines.entries()) write(line, 6 * SCALE, 560 + n * 70);
  // Loaded by the demonstration alone: no other command needs it.
  const { default: sharp } = await import('sharp');
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
}
