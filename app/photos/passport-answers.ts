import type { AllAnswers, Answers } from '~/domain/application/answers';
import { compareWithLines } from '~/domain/application/compare-lines';
import { countryOf, issuingCountryOf } from '~/domain/application/country-codes';
import { readPrintedLines } from '~/domain/application/printed-lines';
import { hasNationalNumber } from '~/domain/application/judge-context';

/** The answers to steps 1 and 2 that the printed lines of a passport give. */
export type PassportAnswers = Readonly<Record<1 | 2, Answers>>;

export interface PassportLines {
  lines: readonly [string, string];
  /** Those with signs in doubt: only what a check digit proves is taken from them. */
  doubtful?: readonly number[];
}

/**
 * What the two printed lines of a passport say, as answers. What has a check digit is left out where
 * that is wrong. A name that is there already, with its accents, stays where it is printed so.
 *
 * @param saved what was answered before
 * @param today yyyy-MM-dd: nobody is born later
 * @returns undefined if they are no lines of a passport
 */
export function answersFromLines(
  { lines: [first, second], doubtful = [] }: PassportLines,
  saved: AllAnswers,
  today: string,
): PassportAnswers | undefined {
  const lines = readPrintedLines(first, second);
  const { checks, lastName, firstName, number, personalNumber: personal } = lines;
  const isWrong = lines.problems.some(({ code }) => code !== 'lineCheckDigit');
  if (isWrong || lastName === undefined || number === undefined) return undefined;
  const { first_name: typedFirst, last_name: typedLast } = saved[1] ?? {};
  const asTyped = { firstName: typedFirst ?? '', lastName: typedLast ?? '' };
  const [isClear1, isClear2] = [1, 2].map((line) => !doubtful.includes(line));
  const isTyped = Boolean(typedFirst && typedLast) && compareWithLines(lines, asTyped).length === 0;
  const citizenship = countryOf(lines.nationality ?? '');
  const gender = lines.sex && { M: 'male', F: 'female', '<': undefined }[lines.sex];
  const person = {
    ...(isClear1 && !isTyped && { last_name: lastName, first_name: firstName ?? '' }),
    ...(checks.composite && gender && { gender }),
    ...(checks.birth && dateAnswer('date_of_birth', lines.birth, Number(today.slice(0, 4)))),
    ...(isClear2 && citizenship && { citizenship }),
  };
  const issuedBy = issuingCountryOf(lines.issuingState ?? '');
  const isAsked = hasNationalNumber({ ...saved, 1: { ...saved[1], ...person } });
  const passport = {
    ...(isClear1 && { passport_line_1: first }),
    ...(isClear2 && lines.problems.length === 0 && { passport_line_2: second }),
    ...(checks.number && { passport_number: number, passport_number_confirm: number }),
    ...(isClear1 && issuedBy && { passport_issuing_country: issuedBy }),
    ...(checks.expiry && dateAnswer('passport_expiry_date', lines.expiry, 2099)),
    ...(checks.personal && personal && isAsked && { national_id_number: personal }),
  };
  return { 1: person, 2: passport };
}

/**
 * The answers that make up a date.
 *
 * @param printed yyMMdd; nothing is answered where a part of it is not known
 * @param latest the last year that it can be in; what would be later is of the century before
 */
function dateAnswer(name: string, printed = '', latest: number): Answers {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(printed) ?? [];
  if (!year) return {};
  const century = 2000 + Number(year) <= latest ? '20' : '19';
  return {
    [`${name}.day`]: String(Number(day)),
    [`${name}.month`]: String(Number(month)),
    [`${name}.year`]: century + year,
  };
}
