import { add, differenceInYears, type Duration } from 'date-fns';

import { changeDay, dateOf, isDay } from '../timeline';
import { type Answers, DATE_PARTS } from './answers';

const MISSING_PART = { day: 'dateDay', month: 'dateMonth', year: 'dateYear' } as const;

/** Without accents. Three letters are enough if they begin one month's names only. */
const MONTHS: readonly (readonly string[])[] = [
  ['january', 'janvier', 'januar', 'janner', 'jaenner'],
  ['february', 'fevrier', 'februar', 'feber'],
  ['march', 'mars', 'marz', 'maerz', 'mrz'],
  ['april', 'avril'],
  ['may', 'mai'],
  ['june', 'juin', 'juni'],
  ['july', 'juillet', 'juli'],
  ['august', 'aout'],
  ['september', 'septembre'],
  ['october', 'octobre', 'oktober'],
  ['november', 'novembre'],
  ['december', 'decembre', 'dezember'],
];

export function answeredDate(answers: Answers, name: string) {
  const [day, month, year] = DATE_PARTS.map((part) => plain(answers[`${name}.${part}`] ?? ''));
  const missing = DATE_PARTS.filter((_, index) => ![day, month, year][index]);
  if (!day || !month || !year) {
    const [one] = missing;
    if (missing.length === DATE_PARTS.length || !one) return undefined;
    return { problem: missing.length > 1 ? 'dateParts' : MISSING_PART[one] };
  }
  if (/^\d{2}$/.test(year)) return { problem: 'dateShort' };
  const real = realDay(numberOf(day), monthOf(month), /^\d{4}$/.test(year) ? Number(year) : 0);
  return real === undefined ? { problem: 'dateReal' } : { day: real };
}

/** « 20 nov. 2026 », "Nov 20, 2026" and 2026-11-20, as somebody types it in one field. */
export function dayIn(typed: string): string | undefined {
  const parts = typed.trim().split(/[^\p{L}\d]+/u);
  if (/^\d{4}/.test(typed)) parts.reverse();
  if (/^\p{L}/u.test(typed.trim())) parts.unshift(...parts.splice(1, 1));
  const [day = '', month = '', year = ''] = parts;
  return answeredDate(
    { 'typed.day': day.replace(/\D+$/, ''), 'typed.month': month, 'typed.year': year },
    'typed',
  )?.day;
}

function plain(part: string): string {
  // As most are typed: a page reads many dates.
  if (/^[\da-z]*$/.test(part)) return part;
  return part
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .trim()
    .toLowerCase();
}

const numberOf = (text: string): number => (/^\d{1,2}$/.test(text) ? Number(text) : 0);

function monthOf(text: string): number {
  if (text.length < 3) return numberOf(text);
  const found = MONTHS.flatMap((names, index) =>
    names.some((name) => name.startsWith(text)) ? [index + 1] : [],
  );
  return found.length === 1 ? (found[0] ?? 0) : 0;
}

function realDay(day: number, month: number, year: number): string | undefined {
  const [mm, dd] = [month, day].map((number) => String(number).padStart(2, '0'));
  const text = `${year}-${mm}-${dd}`;
  return year >= 1000 && isDay(text) ? text : undefined;
}

/** Completed years. Who was born on 29 February completes a year on 1 March of other years. */
export const ageOn = (birth: string, day: string): number =>
  differenceInYears(dateOf(day), dateOf(birth));

/** The day so much later (yyyy-MM-dd); the last day of a month that has no such day. */
export const dayAfter = (day: string, duration: Duration): string =>
  changeDay(day, (date) => add(date, duration));
