/**
 * Letters that are not a base letter and an accent (ICAO Doc 9303-3, section 6), in capitals.
 * An eszett has become SS by then; a dotless i has become I.
 */
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

/** What phones and word processors make of an apostrophe and a hyphen. */
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

/** First name of people with one name only ("first name unknown"), which no passport prints. */
const NO_FIRST_NAME = 'FNU';

/**
 * The places of the name field in the first printed line of a passport (ICAO Doc 9303-4, section
 * 4.2: places 6 to 44).
 */
export const PRINTED_NAME_PLACES = 39;

/**
 * A name as it will be sent: A-Z, hyphen, apostrophe and space, by the replacements that passports use
 * (ICAO Doc 9303-3, section 6): Müller is MUELLER, Łukasz LUKASZ, Nguyễn NGUYEN. A full stop falls away,
 * and so do letters of other scripts: ask `isSendable` first.
 *
 * @param name as typed, composed or decomposed
 */
export function sentName(name: string): string {
  return tidy(inCapitals(name).replace(/[^A-Z' -]/g, ''));
}

/**
 * An address, a city or an employer as it will be sent: the letters as in `sentName`, digits and
 * . , ' - / # & ( ) + as they are; quotation marks, dashes and the like as these; a line break is a
 * space. Everything else falls away.
 */
export function sentText(text: string): string {
  return tidy(inCapitals(withPlainSigns(text)).replace(/[^A-Z0-9.,'/#&()+ -]/g, ''));
}

/** Whether each letter of a name or text can be sent: no Cyrillic, Greek or the like. */
export function isSendable(text: string): boolean {
  return !/[^\P{L}A-Z]/u.test(inCapitals(text));
}

/**
 * Whether the official form can take a text: letters with a replacement, digits, space and
 * . , ' ’ - / # & ( ) +, and signs that can be written as these.
 *
 * @param text of one line
 */
export function isLatinText(text: string): boolean {
  return /^[\p{L}\p{M}0-9 .,'’/#&()+-]*$/u.test(withPlainSigns(text)) && isSendable(text);
}

/** The first few signs of a text that the official form cannot take. */
export function unsendableSigns(text: string): string[] {
  const signs = [...text.normalize('NFC')].filter((sign) => /\S/.test(sign) && !isLatinText(sign));
  return [...new Set(signs)].slice(0, 5);
}

/**
 * The places that both names together take in the 39 of a passport's first line, `PRINTED_NAME_PLACES`,
 * as sent: two fillers between the names and one for each space or hyphen count, an apostrophe does not
 * (ICAO Doc 9303-3, section 4.6, and 9303-4, section 4.2). Above it the passport cuts the name.
 */
export function sentLength(first: string, last: string): number {
  return printedNames(first, last).length;
}

/** Both names as a passport prints them, uncut and without the fillers at the end. */
export function printedNames(first: string, last: string): string {
  return [printedName(last), printedFirstName(first)].filter((name) => name !== '').join('<<');
}

/**
 * A name as a passport prints it (ICAO Doc 9303-3, section 4.6): fillers for hyphens and spaces, and no
 * apostrophe: Jean-François d’Arc is JEAN<FRANCOIS<DARC.
 *
 * @param name as typed
 */
export function printedName(name: string): string {
  return sentName(name).replaceAll("'", '').replace(/[ -]+/g, '<');
}

/** First names as a passport prints them: none for somebody with one name only. */
export function printedFirstName(name: string): string {
  const printed = printedName(name);
  return printed === NO_FIRST_NAME ? '' : printed;
}

/** ASCII without the backtick, which stands for an apostrophe: nothing in it has a replacement. */
const PLAIN = /^[ -_a-~]*$/;

/** Capitals with the replacements made, where there is one; all else is still there. */
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

function tidy(text: string): string {
  return text.replace(/ {2,}/g, ' ').trim();
}
