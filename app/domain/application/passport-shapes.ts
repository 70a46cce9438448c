/** A passport's number has nine places in the printed lines (ICAO Doc 9303-4, section 4.2). */
const NUMBER = /^[A-Z0-9]{6,9}$/;

/** How countries number their passports, as far as is commonly known: good for a warning only. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  AT: /^[A-Z]{1,2}[0-9]{7}$/,
  BE: /^[A-Z]{2}[0-9]{6}$/,
  CH: /^[A-Z][0-9A-Z]{7}$/,
  DE: /^[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}$/,
  ES: /^[A-Z]{2,3}[0-9]{6}$/,
  FR: /^[0-9]{2}[A-Z]{2}[0-9]{5}$/,
  GB: /^[0-9]{9}$/,
  IE: /^[A-Z]{1,2}[0-9]{7}$/,
  IT: /^[A-Z]{2}[0-9]{7}$/,
  NL: /^[A-NP-Z]{2}[A-NP-Z0-9]{6}[0-9]$/,
  PL: /^[A-Z]{2}[0-9]{7}$/,
};

/** Their numbers have no letter O: what is round is a zero. */
const WITHOUT_O = ['DE', 'NL'];

/** A passport's number as it is compared and sent: capitals, without spaces, full stops and hyphens. */
export function normalisePassportNumber(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s.‐‑‒–-]/g, '')
    .toUpperCase();
}

/** Whether a text can be a passport's number: six to nine letters and digits, once normalised. */
export function isPassportNumber(text: string): boolean {
  return NUMBER.test(normalisePassportNumber(text));
}

/**
 * What is unusual about a number for passports of a country; never a reason to refuse it.
 *
 * @param country that issued it, alpha-2
 * @param number as typed
 * @returns undefined if nothing is, or nothing is known of the country's numbers
 */
export function shapeProblem(
  country: string,
  number: string,
): 'passportShape' | 'passportLetterO' | undefined {
  const plain = normalisePassportNumber(number);
  if (WITHOUT_O.includes(country) && plain.includes('O')) return 'passportLetterO';
  const shape = Object.hasOwn(SHAPES, country) ? SHAPES[country] : undefined;
  return shape && !shape.test(plain) ? 'passportShape' : undefined;
}
