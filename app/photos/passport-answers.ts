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
 * @param today yyyy-MM-dd: nobody is born later, and no passport that is shown has expired long ago
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
  const birth = checks.birth && dayOf(lines.birth, (year) => year <= Number(today.slice(0, 4)));
  const expiry = checks.expiry && dayOf(lines.expiry, () => true);
  const gender = lines.sex && { M: 'male', F: 'female', '<': undefined }[lines.sex];
  const person = {
    ...(isClear1 && !isTyped && { last_name: lastName, first_name: firstName ?? '' }),
    ...(checks.composite && gender && { gender }),
    ...(birth && dateParts('date_of_birth', birth)),
    ...(isClear2 && citizenship && { citizenship }),
  };
  const issuedBy = issuingCountryOf(lines.issuingState ?? '');
  const isAsked = hasNationalNumber({ ...saved, 1: { ...saved[1], ...person } });
  const passport = {
    ...(isClear1 && { passport_line_1: first }),
    ...(isClear2 && { passport_line_2: second }),
    ...(checks.number && { passport_number: number, passport_number_confirm: number }),
    ...(isClear1 && issuedBy && { passport_issuing_country: issuedBy }),
    ...(expiry && dateParts('passport_expiry_date', expiry)),
    ...(checks.personal && personal && isAsked && { national_id_number: personal }),
  };
  return { 1: person, 2: passport };
}

/**
 * A date of two digits a year, in the latest century in which it can be.
 *
 * @param printed yyMMdd
 * @returns yyyy-MM-dd; undefined where a part of it is not known
 */
function dayOf(printed = '', canBe: (year: number) => boolean): string | undefined {
  const [, year = '', month = '', day = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(printed) ?? [];
  if (year === '') return undefined;
  const century = canBe(2000 + Number(year)) ? '20' : '19';
  return `${century}${year}-${month}-${day}`;
}

function dateParts(name: string, date: string): Answers {
  const [year = '', month = '', day = ''] = date.split('-');
  const [plainDay, plainMonth] = [day, month].map((part) => String(Number(part)));
  return { [`${name}.day`]: plainDay!, [`${name}.month`]: plainMonth!, [`${name}.year`]: year };
}
