/** Letters that are not a base letter and an accent, in capitals (ICAO Doc 9303-3, section 6). */
const LETTERS: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Œ: 'OE',
  Ø: 'OE',
  Þ: 'TH',
  Ð: 'D',
  Đ: 'D',
  Ł: 'L',
  Ħ: 'H',
  Ŧ: 'T',
  Ŋ: 'N',
  ĸ: 'Q',
  ẞ: 'SS',
};

const APOSTROPHES = /[‘’‛ʹʻʼʽ´`′]/g;
const HYPHENS = /[‐‑‒–]/g;

/** Signs in addresses and firms that the official form does not have, and how they are written in it. */
const SIGNS: readonly [RegExp, string][] = [
  [/[«‹]\s*|\s*[»›]|[“”„‟"]/g, "'"],
  [/[‐‑‒–—―]/g, '-'],
  [/…/g, '...'],
  [/[:;]/g, ','],
  [/°/g, 'o'],
  [/·/g, '.'],
];

const withPlainSigns = (text: string) =>
  SIGNS.reduce((plain, [sign, written]) => plain.replace(sign, written), text);

const NO_FIRST_NAME = 'FNU';

/** Places 6 to 44 of the first printed line (ICAO Doc 9303-4, section 4.2). */
export const PRINTED_NAME_PLACES = 39;

/** A-Z, hyphen, apostrophe, space (ICAO Doc 9303-3, section 6). Ask `isSendable` first. */
export const sentName = (name: string): string => tidy(inCapitals(name).replace(/[^A-Z' -]/g, ''));

export const sentFullName = (last = '', first = ''): string =>
  [last, first].map(sentName).filter(Boolean).join(', ');

/** Letters as in `sentName`, digits and . , ' - / # & ( ) +; everything else falls away. */
export const sentText = (text: string): string =>
  tidy(inCapitals(withPlainSigns(text)).replace(/[^A-Z0-9.,'/#&()+ -]/g, ''));

export const isSendable = (text: string): boolean => !/[^\P{L}A-Z]/u.test(inCapitals(text));

export const isLatinText = (text: string): boolean =>
  /^[\p{L}\p{M}0-9 .,'’/#&()+-]*$/u.test(withPlainSigns(text)) && isSendable(text);

export function unsendableSigns(text: string): string[] {
  const signs = [...text.normalize('NFC')].filter((sign) => /\S/.test(sign) && !isLatinText(sign));
  return [...new Set(signs)].slice(0, 5);
}

/** The places of both names in the first line; above 39 it cuts them (ICAO Doc 9303-3, 4.6). */
export const sentLength = (first: string, last: string): number => printedNames(first, last).length;

export const printedNames = (first: string, last: string): string =>
  [printedName(last), printedFirstName(first)].filter((name) => name !== '').join('<<');

/** `JEAN<FRANCOIS<DARC` (ICAO Doc 9303-3, section 4.6). */
export const printedName = (name: string): string =>
  sentName(name).replaceAll("'", '').replace(/[ -]+/g, '<');

export function printedFirstName(name: string): string {
  const printed = printedName(name);
  return printed === NO_FIRST_NAME ? '' : printed;
}

/** ASCII without the backtick, which stands for an apostrophe: nothing in it has a replacement. */
const PLAIN = /^[ -_a-~]*$/;

function inCapitals(text: string): string {
  if (PLAIN.test(text)) return text.toUpperCase();
  return (
    text
      .toUpperCase()
      .replace(APOSTROPHES, "'")
      // With compatibility: ligatures and wide letters become plain ones.
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[AOU](?=\p{M}*\u0308)/gu, '$&E')
      .replace(/A(?=\p{M}*\u030a)/gu, 'AA')
      .replace(/\p{M}/gu, '')
      .replace(/[^ -~]/gu, (letter) => LETTERS[letter] ?? letter)
      .replace(HYPHENS, '-')
      .replace(/\s/g, ' ')
  );
}

const tidy = (text: string): string => text.replace(/ {2,}/g, ' ').trim();
