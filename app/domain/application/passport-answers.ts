import type { AllAnswers, Answers } from '~/domain/application/answers';
import { compareWithLines } from '~/domain/application/compare-lines';
import { countryOf, issuingCountryOf } from '~/domain/application/country-codes';
import { hasNationalNumber } from '~/domain/application/step-input';
import {
  type CheckedField,
  FIELDS,
  PLACES,
  readPrintedLines,
} from '~/domain/application/printed-lines';

export type PassportAnswers = Readonly<Record<1 | 2, Answers>>;

export type LineDoubt = { line: 1 | 2; place: number };

export type ReadLines = { lines: readonly [string, string]; doubts: readonly LineDoubt[] };

export const isClear = (
  { doubts }: Pick<ReadLines, 'doubts'>,
  line: 1 | 2,
  [from, to]: readonly [number, number],
): boolean =>
  !doubts.some((doubt) => doubt.line === line && doubt.place > from && doubt.place <= to);

/**
 * What is in doubt, or has a check digit that is wrong, is left out. A name that is there already, with
 * its accents, stays where it is printed so.
 *
 * @param today yyyy-MM-dd: nobody is born later
 */
export function answersFromLines(
  read: ReadLines,
  saved: AllAnswers,
  today: string,
): PassportAnswers | undefined {
  const [first, second] = read.lines;
  const lines = readPrintedLines(first, second);
  const { checks, lastName, firstName = '', number = '', personalNumber: personal } = lines;
  const isWrong = lines.problems.some(
    ({ code, line }) => code !== 'lineCheckDigit' && read.lines[line - 1] !== '',
  );
  if (isWrong || !(first || second)) return undefined;
  const isProved = (field: CheckedField) => checks[field] && isClear(read, 2, FIELDS[field]);
  const isRight = Object.values(checks).every(Boolean);
  const { first_name: typedFirst = '', last_name: typedLast = '' } = saved[1] ?? {};
  const typed = { firstName: typedFirst, lastName: typedLast };
  const isTyped =
    typedLast !== '' && compareWithLines(lines, typed).every(({ kind }) => kind === 'truncated');
  const gender = lines.sex && { M: 'male', F: 'female', '<': undefined }[lines.sex];
  const citizenship = countryOf(lines.nationality ?? '');
  const person = {
    ...(lastName !== undefined &&
      isClear(read, 1, [5, PLACES]) &&
      !isTyped && { last_name: lastName, first_name: firstName }),
    ...(checks.composite && isClear(read, 2, [20, 21]) && gender && { gender }),
    ...(isProved('birth') && dateParts('date_of_birth', lines.birth, today)),
    ...(isClear(read, 2, [10, 13]) && citizenship && { citizenship }),
  };
  const issuedBy = issuingCountryOf(lines.issuingState ?? '');
  const isAsked = hasNationalNumber({ ...saved, 1: { ...saved[1], ...person } });
  const passport = {
    ...(first && isClear(read, 1, [0, PLACES]) && { passport_line_1: first }),
    ...(isRight && isClear(read, 2, [0, PLACES]) && { passport_line_2: second }),
    ...(isProved('number') && { passport_number: number, passport_number_confirm: number }),
    ...(isClear(read, 1, [2, 5]) && issuedBy && { passport_issuing_country: issuedBy }),
    ...(isProved('expiry') && dateParts('passport_expiry_date', lines.expiry, '2099-12-31')),
    ...(isProved('personal') && personal && isAsked && { national_id_number: personal }),
  };
  return { 1: person, 2: passport };
}

/** In the latest century in which it can be. @param printed yyMMdd @param latest yyyy-MM-dd */
function dateParts(name: string, printed = '', latest: string): Answers {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(printed) ?? [];
  if (day === undefined) return {};
  const century = `20${year}-${month}-${day}` > latest ? '19' : '20';
  return {
    [`${name}.day`]: String(Number(day)),
    [`${name}.month`]: String(Number(month)),
    [`${name}.year`]: `${century}${year}`,
  };
}
