/** Passports for tests of their printed lines, written without the rules that the tests are about. */

export interface SecondLine {
  number: string;
  nationality: string;
  birth: string;
  sex: string;
  expiry: string;
  personal: string;
}

/** A check digit by ICAO Doc 9303-3, section 4.9. */
export function digitOf(text: string): number {
  const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  let sum = 0;
  for (let place = 0; place < text.length; place += 1) {
    sum += Math.max(0, signs.indexOf(text.charAt(place))) * [7, 3, 1][place % 3]!;
  }
  return sum % 10;
}

export function firstLine(state: string, last: string, first: string, code = 'P'): string {
  const names = first === '' ? last : `${last}<<${first}`;
  const line = code.padEnd(2, '<') + state.padEnd(3, '<') + names.replaceAll(' ', '<');
  return line.padEnd(44, '<').slice(0, 44);
}

export function secondLine(data: SecondLine): string {
  const number = withDigit(data.number.padEnd(9, '<'));
  const birth = withDigit(data.birth);
  const expiry = withDigit(data.expiry);
  const personal = withDigit(data.personal.padEnd(14, '<'));
  const last = digitOf(number + birth + expiry + personal);
  return number + data.nationality.padEnd(3, '<') + birth + data.sex + expiry + personal + last;
}

const withDigit = (text: string): string => `${text}${digitOf(text)}`;

/** The same numbers from 0 to below 1 each time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const MARIE = {
  first: firstLine('FRA', 'DUPONT', 'MARIE'),
  second: secondLine({
    ...{ number: '12AB34567', nationality: 'FRA', sex: 'F' },
    ...{ birth: '900504', expiry: '320229', personal: '' },
  }),
};

/** A passport without a personal number, and whose country has one letter. */
export const GERMAN: SecondLine = {
  ...{ number: 'C01X0006H', nationality: 'D', sex: 'F' },
  ...{ birth: '640812', expiry: '270228', personal: '' },
};
