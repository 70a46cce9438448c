import { issuingCountryOf } from './country-codes';
import { shapeProblem, TO_DIGIT, TO_LETTER } from './passport-shapes';

/** The machine readable zone of a passport: two lines of 44 places (ICAO Doc 9303-4, section 4.2). */
export const PLACES = 44;

/** Places of the second line, from 0: a field that has a check digit is followed by it. */
export const FIELDS = {
  number: [0, 9],
  birth: [13, 19],
  expiry: [21, 27],
  personal: [28, 42],
} as const;

/** It has no check digit, and no digits. */
const NATIONALITY = [10, 13] as const;

export type CheckedField = keyof typeof FIELDS;
const CHECKED = Object.keys(FIELDS) as CheckedField[];

/** Where the part ends in which every passport fills every place; then comes the personal number. */
export const FIXED_PART = FIELDS.expiry[1] + 1;

export type LineChecks = Readonly<Record<CheckedField | 'composite', boolean>>;

export type Suggestion = { place: number; typed: string; meant: string; value: string };

export interface LineProblem {
  line: 1 | 2;
  code: 'printedLine' | 'lineLength' | 'lineCheckDigit';
  place?: number;
  /** `composite`: somewhere in the second line, each field by itself is right. */
  field?: keyof LineChecks;
  suggestion?: Suggestion;
}

export interface PrintedLines {
  problems: readonly LineProblem[];
  /** Three letters, or `D`: see `issuingCountryOf`. */
  issuingState?: string;
  /** With a space for each filler, so without hyphens and apostrophes. */
  lastName?: string;
  firstName?: string;
  number?: string;
  nationality?: string;
  birth?: string;
  /** `<`: unspecified, the X of the page above. */
  sex?: 'M' | 'F' | '<';
  expiry?: string;
  personalNumber?: string;
  checks: LineChecks;
}

/** Nobody types more for two lines; what is longer is no line however it ends. */
const LONGEST = 300;

/** As people type them: other signs for the filler, both lines in the first field. Never throws. */
export function readPrintedLines(first: string, second: string): PrintedLines {
  const [one, two] = bothLines(first.slice(0, LONGEST), second.slice(0, LONGEST));
  const line1 = readFirstLine(one);
  const line2 = readSecondLine(two, line1.issuingState);
  return { ...line1, ...line2, problems: [...line1.problems, ...line2.problems] };
}

/** A field of one line keeps no line break: both lines pasted into it are 88 places. */
function bothLines(first: string, second: string): [string, string] {
  const one = plainSigns(first, '<<');
  if (one.length === 2 * PLACES && plainSigns(second, '<<') === '') {
    return [one.slice(0, PLACES), one.slice(PLACES)];
  }
  return [first, second];
}

function plainSigns(text: string, double: '<' | '<<'): string {
  return text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replaceAll('«', double)
    .replace(/[‹([{]/g, '<')
    .toUpperCase();
}

function readFirstLine(typed: string): Omit<PrintedLines, 'checks'> {
  // Phones make « of two fillers; who looks for a sign may also take it for one.
  const double = /«\s*«.*\p{L}/u.test(typed) ? '<' : '<<';
  const line = withoutFillers(plainSigns(typed, double));
  if (line.length < 6 || line.length > PLACES) {
    return { problems: [{ line: 1, code: 'lineLength' }] };
  }
  const wrong = line.startsWith('P') ? line.search(/[^A-Z<]/) : 0;
  const problem = wrong < 0 ? [] : [misplaced(1, line, wrong, wrong < 5 ? [2, 5] : [5, PLACES])];
  const [lastName = '', ...firstNames] = line.slice(5).split('<<');
  return {
    problems: problem,
    issuingState: withoutFillers(line.slice(2, 5)),
    lastName: spaced(lastName),
    firstName: spaced(firstNames.join('<')),
  };
}

function readSecondLine(typed: string, issuingState = ''): PrintedLines {
  const signs = plainSigns(typed, '<<');
  const line = withRightFillers(
    signs.length === PLACES || !typed.includes('«') ? signs : plainSigns(typed, '<'),
  );
  if (line === undefined)
    return { problems: [{ line: 2, code: 'lineLength' }], checks: checksOf('') };
  const wrong = misplacedIn(line);
  const checks = checksOf(line);
  const sex = line[20];
  return {
    problems: [
      ...(wrong < 0 ? [] : [misplaced(2, line, wrong, NATIONALITY)]),
      ...checkProblems(line, checks, issuingState),
    ],
    number: fieldOf(line, 'number'),
    nationality: withoutFillers(line.slice(...NATIONALITY)),
    birth: line.slice(...FIELDS.birth),
    ...((sex === 'M' || sex === 'F') && { sex }),
    ...((sex === '<' || sex === 'X') && { sex: '<' }),
    expiry: line.slice(...FIELDS.expiry),
    personalNumber: fieldOf(line, 'personal'),
    checks,
  };
}

function misplacedIn(line: string): number {
  return [...line].findIndex((sign, place) => {
    if (place >= 10 && place < 13) return !/[A-Z<]/.test(sign);
    return place === 20 ? !/[MFX<]/.test(sign) : !/[A-Z0-9<]/.test(sign);
  });
}

function misplaced(line: 1 | 2, text: string, index: number, letters: readonly [number, number]) {
  const problem: LineProblem = { line, code: 'printedLine', place: index + 1 };
  const typed = text[index] ?? '';
  const meant = TO_LETTER.get(typed);
  const [from, to] = letters;
  if (meant === undefined || index < from || index >= to) return problem;
  const value = text.slice(from, to).replace(/\d/g, (digit) => TO_LETTER.get(digit) ?? digit);
  return { ...problem, suggestion: { place: index + 1, typed, meant, value: spaced(value) } };
}

/** Fillers at the end are miscounted: they are mended if all check digits are right then. */
function withRightFillers(line: string): string | undefined {
  if (line.length === PLACES) return line;
  const parts = /^(.*?)<+([0-9]{1,2})$/.exec(line.slice(FIXED_PART));
  if (!parts) return undefined;
  const [, personal = '', end = ''] = parts;
  const start = line.slice(0, FIXED_PART) + withoutFillers(personal);
  const mended = start.padEnd(PLACES - end.length, '<') + end;
  const isRight = mended.length === PLACES && Object.values(checksOf(mended)).every(Boolean);
  return isRight ? mended : undefined;
}

/** The check digit of a text (ICAO Doc 9303-3, section 4.9): weights 7, 3, 1, modulus 10. */
export function checkDigit(text: string): string {
  const weights = [7, 3, 1];
  const sum = [...text].reduce((total, sign, index) => {
    const value = sign === '<' ? 0 : parseInt(sign, 36);
    return total + value * (weights[index % 3] ?? 0);
  }, 0);
  return String(sum % 10);
}

function checksOf(line: string): LineChecks {
  const isRight = (field: CheckedField) => isFieldRight(field, withCheckDigit(line, field));
  const checks = Object.fromEntries(CHECKED.map((field) => [field, isRight(field)]));
  return { ...(checks as Record<CheckedField, boolean>), composite: isCompositeRight(line) };
}

function withCheckDigit(line: string, field: CheckedField): string {
  const [from, to] = FIELDS[field];
  return line.slice(from, to + 1);
}

function isFieldRight(field: CheckedField, text: string): boolean {
  const value = text.slice(0, -1);
  if ((field === 'birth' || field === 'expiry') && /[A-Z]/.test(value)) return false;
  // Without a personal number its check digit may be a filler (ICAO Doc 9303-4, section 4.2).
  if (field === 'personal' && /^<+$/.test(text)) return true;
  return text.endsWith(checkDigit(value));
}

/** Places 1 to 10, 14 to 20 and 22 to 43 by place 44 (ICAO Doc 9303-4, section 4.2). */
const isCompositeRight = (line: string): boolean =>
  line.endsWith(checkDigit(line.slice(0, 10) + line.slice(13, 20) + line.slice(21, 43)));

function checkProblems(line: string, checks: LineChecks, issuingState: string): LineProblem[] {
  const wrong = CHECKED.filter((field) => !checks[field]);
  if (wrong.length === 0 && !checks.composite) return [compositeProblem(line)];
  return wrong.map((field) => {
    const suggestion = suggestionFor(line, field, issuingCountryOf(issuingState) ?? '');
    return { line: 2, code: 'lineCheckDigit', field, ...(suggestion && { suggestion }) };
  });
}

function compositeProblem(line: string): LineProblem {
  const problem: LineProblem = { line: 2, code: 'lineCheckDigit', field: 'composite' };
  const typed = line.slice(-1);
  const meant = TO_DIGIT.get(typed);
  if (meant === undefined || !isCompositeRight(line.slice(0, -1) + meant)) return problem;
  return { ...problem, suggestion: { place: PLACES, typed, meant, value: meant } };
}

/** A sign that looks like another; undefined unless one reading is right, usual shapes first. */
function suggestionFor(line: string, field: CheckedField, country: string): Suggestion | undefined {
  const typed = withCheckDigit(line, field);
  const isDate = field === 'birth' || field === 'expiry';
  const digits = [...typed].map((sign) => TO_DIGIT.get(sign) ?? sign).join('');
  const readings = isDate ? [digits] : [typed.replaceAll('O', '0'), ...oneOther(typed)];
  const right = [...new Set(readings)].filter(
    (text) => text !== typed && isFieldRight(field, text),
  );
  const isUsual = (text: string) =>
    field !== 'number' || !shapeProblem(country, withoutFillers(text.slice(0, -1)));
  const usual = right.filter(isUsual);
  const [meant, ...others] = usual.length > 0 || isUsual(typed) ? usual : right;
  if (meant === undefined || others.length > 0) return undefined;
  const index = [...typed].findIndex((sign, place) => sign !== meant[place]);
  return {
    place: FIELDS[field][0] + index + 1,
    typed: typed[index] ?? '',
    meant: meant[index] ?? '',
    value: withoutFillers(meant.slice(0, -1)),
  };
}

function oneOther(text: string): string[] {
  return [...text].flatMap((sign, index) => {
    const other = TO_DIGIT.get(sign) ?? TO_LETTER.get(sign);
    return other === undefined ? [] : [text.slice(0, index) + other + text.slice(index + 1)];
  });
}

const fieldOf = (line: string, field: CheckedField): string =>
  withoutFillers(line.slice(...FIELDS[field]));

const withoutFillers = (text: string): string => text.replace(/<+$/, '');

const spaced = (text: string): string => text.replace(/<+/g, ' ').trim();
