import { countryOf, issuingCountryOf, printedCodeOf } from './country-codes';
import { normalisePassportNumber } from './passport-shapes';
import { checkDigit, type PrintedLines, readPrintedLines } from './printed-lines';
import { PRINTED_NAME_PLACES, printedFirstName, printedName, printedNames } from './sent-name';
import type { Answers } from './answers';

export interface PrintedAnswers {
  firstName?: string;
  lastName?: string;
  number?: string;
  issuingCountry?: string;
  birth?: string;
  expiry?: string;
  sex?: 'male' | 'female';
  citizenship?: string;
}

/** What a passport prints: the names of the answer, of the printed text, and of what it is compared with. */
export const PRINTED_FIELDS = [
  ['last_name', 'lastName', 'lastName'],
  ['first_name', 'firstName', 'firstName'],
  ['passport_number', 'number', 'number'],
  ['passport_issuing_country', 'issuingState', 'issuingCountry'],
  ['citizenship', 'nationality', 'citizenship'],
  ['date_of_birth', 'birth', 'birth'],
  ['gender', 'sex', 'sex'],
  ['passport_expiry_date', 'expiry', 'expiry'],
] as const satisfies readonly [string, keyof PrintedLines, keyof PrintedAnswers][];

export interface Difference {
  answer: (typeof PRINTED_FIELDS)[number][0];
  /** As printed: names with spaces for fillers, dates as yyMMdd, countries and the sex as their codes. */
  printed: string;
  typed: string;
  position: number;
  /** `truncated`: the passport has no room for more, so nothing need be wrong. */
  kind: 'differs' | 'truncated';
}

/** Both lines with the places that an answer fills; of the last sixteen the passport alone knows. */
export function composeLines(answers: PrintedAnswers): [string, string] | undefined {
  const { lastName, firstName = '', number: typed = '', issuingCountry, citizenship } = answers;
  const { birth, expiry, sex } = answers;
  const number = normalisePassportNumber(typed);
  if (!lastName || !number || number.length > 9) return undefined;
  if (!issuingCountry || !citizenship || !birth || !expiry || !sex) return undefined;
  const filled = (text: string, places: number) => text.padEnd(places, '<').slice(0, places);
  const [by, of] = [issuingCountry, citizenship].map((code) => filled(printedCodeOf(code), 3));
  const withDigit = (text: string) => text + checkDigit(text);
  const parts = [filled(number, 9), printedDate(birth), printedDate(expiry)].map(withDigit);
  const [first, second, third] = parts;
  const last = '<'.repeat(15);
  return [
    `P<${by}${filled(printedNames(firstName, lastName), PRINTED_NAME_PLACES)}`,
    `${first}${of}${second}${{ male: 'M', female: 'F' }[sex]}${third}${last}${checkDigit(parts.join('') + last)}`,
  ];
}

/** Names are compared without hyphens, apostrophes and FNU, and agree if cut after 39 places. */
export function compareWithLines(lines: PrintedLines, answers: PrintedAnswers): Difference[] {
  const { number, issuingCountry, birth, expiry, sex, citizenship } = answers;
  const { issuingState } = lines;
  const printedNumber = lines.number?.replaceAll('<', '');
  const compared = [
    ...comparedNames(lines, answers),
    difference('passport_number', printedNumber, number && normalisePassportNumber(number)),
    // A GBN passport was issued by the United Kingdom, but not to a British citizen.
    countryDifference('passport_issuing_country', issuingState, issuingCountry, issuingCountryOf),
    difference('date_of_birth', lines.birth, birth && printedDate(birth, lines.birth)),
    difference('passport_expiry_date', lines.expiry, expiry && printedDate(expiry, lines.expiry)),
    difference('gender', lines.sex, sex && { male: 'M', female: 'F' }[sex]),
    countryDifference('citizenship', lines.nationality, citizenship, countryOf),
  ];
  return compared.filter((found) => found !== undefined);
}

function comparedNames(lines: PrintedLines, { firstName, lastName }: PrintedAnswers) {
  const { firstName: printedFirst, lastName: printedLast } = lines;
  if (printedFirst === undefined || printedLast === undefined) return [];
  const line = printedNames(printedFirst, printedLast);
  // A space at the last place is a filler as those after a short name are.
  const isFull = line.length === PRINTED_NAME_PLACES;
  if (firstName && lastName) {
    const cut = printedNames(firstName, lastName).slice(0, PRINTED_NAME_PLACES);
    if (cut.replace(/<+$/, '') === line) return [];
  }
  return [
    nameDifference('last_name', printedLast, lastName, isFull),
    nameDifference('first_name', printedFirst, firstName, isFull),
  ];
}

function nameDifference(
  answer: 'last_name' | 'first_name',
  printed: string,
  name: string | undefined,
  isFull: boolean,
): Difference | undefined {
  if (!name) return undefined;
  const asPrinted = answer === 'first_name' ? printedFirstName : printedName;
  // Some countries print a filler for an apostrophe.
  const spaced = (text: string) => asPrinted(text).replaceAll('<', ' ');
  const readings = [name, name.replace(/['’]/g, ' ')].map(spaced);
  if (readings.includes(spaced(printed))) return undefined;
  const [typed = ''] = readings;
  const kind = isFull && isShortened(printed, typed) ? 'truncated' : 'differs';
  return { ...differing(answer, printed, typed), kind };
}

function isShortened(printed: string, typed: string): boolean {
  const parts = typed.split(' ');
  return printed.split(' ').every((part, index) => parts[index]?.startsWith(part) ?? false);
}

function printedDate(date: string, printed = ''): string {
  const digits = date.slice(2).replaceAll('-', '');
  return [...digits].map((digit, index) => (printed[index] === '<' ? '<' : digit)).join('');
}

function countryDifference(
  answer: 'passport_issuing_country' | 'citizenship',
  printed: string | undefined,
  country: string | undefined,
  readAs: (code: string) => string | undefined,
): Difference | undefined {
  if (printed !== undefined && readAs(printed) === country) return undefined;
  return difference(answer, printed, country && printedCodeOf(country));
}

function difference(
  answer: Difference['answer'],
  printed: string | undefined,
  typed: string | undefined,
): Difference | undefined {
  if (printed === undefined || !typed || printed === typed) return undefined;
  return differing(answer, printed, typed);
}

function differing(answer: Difference['answer'], printed: string, typed: string): Difference {
  const index = [...typed].findIndex((sign, place) => sign !== printed[place]);
  const position = (index < 0 ? typed.length : index) + 1;
  return { answer, printed, typed, position, kind: 'differs' };
}

const LINES = ['passport_line_1', 'passport_line_2'] as const;

const FIRST_LINE: readonly Difference['answer'][] = [
  'last_name',
  'first_name',
  'passport_issuing_country',
];

export const lineOf = (answer: Difference['answer']) => (FIRST_LINE.includes(answer) ? 1 : 2);

/** Of names, countries and the sex no check digit proves what was typed. */
export const hasCheckDigit = (answer: Difference['answer']) =>
  ['passport_number', 'date_of_birth', 'passport_expiry_date'].includes(answer);

function typedLines(answers: Answers) {
  const [first = '', second = ''] = LINES.map((name) => answers[name]?.trim());
  if (first === '' && second === '') return undefined;
  const lines = readPrintedLines(first, second);
  // Both may have been pasted into the first field.
  const hasBoth = second === '' && lines.number !== undefined;
  return {
    lines,
    fieldOf: (line: 1 | 2) => {
      if (line === 1) return first === '' ? undefined : LINES[0];
      if (hasBoth) return LINES[0];
      return second === '' ? undefined : LINES[1];
    },
  };
}

export function lineProblems(answers: Answers) {
  const typed = typedLines(answers);
  if (!typed) return [];
  return typed.lines.problems.flatMap((problem) => {
    const field = typed.fieldOf(problem.line);
    return field === undefined ? [] : [{ field, problem }];
  });
}

export function lineDifferences(answers: Answers, compared: PrintedAnswers) {
  const typed = typedLines(answers);
  if (!typed) return [];
  return compareWithLines(typed.lines, compared).flatMap((difference) => {
    const field = typed.fieldOf(lineOf(difference.answer));
    return field === undefined ? [] : [{ ...difference, field }];
  });
}
