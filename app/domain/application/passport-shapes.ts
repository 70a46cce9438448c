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

const ALIKE = [
  ['O', '0'],
  ['I', '1'],
  ['B', '8'],
  ['S', '5'],
  ['Z', '2'],
] as const;

export const TO_DIGIT: ReadonlyMap<string, string> = new Map(ALIKE);
export const TO_LETTER: ReadonlyMap<string, string> = new Map(
  ALIKE.map(([letter, digit]) => [digit, letter]),
);

export function normalisePassportNumber(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s.‐‑‒–-]/g, '')
    .toUpperCase();
}

export const isPassportNumber = (text: string): boolean =>
  NUMBER.test(normalisePassportNumber(text));

/** Good for a warning, never a reason to refuse. */
export function shapeProblem(country: string, number: string) {
  const plain = normalisePassportNumber(number);
  if (WITHOUT_O.includes(country) && plain.includes('O')) return 'passportLetterO';
  const shape = Object.hasOwn(SHAPES, country) ? SHAPES[country] : undefined;
  return shape && !shape.test(plain) ? 'passportShape' : undefined;
}

/** Undefined unless one reading with letters and digits that look alike is the nearest. */
export function meantNumber(country: string, number: string): string | undefined {
  const plain = normalisePassportNumber(number);
  if (shapeProblem(country, plain) === undefined) return undefined;
  const other = [...plain].map((sign) => TO_DIGIT.get(sign) ?? TO_LETTER.get(sign) ?? sign);
  let readings = [plain];
  for (const [place, sign] of other.entries()) {
    if (sign === plain[place]) continue;
    const changed = (text: string) => text.slice(0, place) + sign + text.slice(place + 1);
    readings = readings.flatMap((text) => [text, changed(text)]);
  }
  const changes = (text: string) => [...text].filter((sign, place) => sign !== plain[place]).length;
  const usual = readings
    .filter((text) => shapeProblem(country, text) === undefined)
    .sort((a, b) => changes(a) - changes(b));
  const [meant, next] = usual;
  if (meant !== undefined && (next === undefined || changes(next) > changes(meant))) return meant;
  return WITHOUT_O.includes(country) && plain.includes('O')
    ? plain.replaceAll('O', '0')
    : undefined;
}
