import { calendarDay } from '../timeline';

const MINUTE_MS = 60_000;
/** Time zones are at most fourteen hours from UTC; a day is enough for all that have been. */
const DAY_MINUTES = 24 * 60;

/** Whether a word is a month of the accounts, such as `2026-11`. */
export function isMonth(word: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(word);
}

/** The month after this one: `2027-01` after `2026-12`. */
export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/**
 * The instants of a month where the site is.
 *
 * @returns from the first, and before the second
 */
export function monthPeriod(month: string, timeZone: string): { from: Date; to: Date } {
  return { from: beginOf(month, timeZone), to: beginOf(nextMonth(month), timeZone) };
}

/**
 * The first minute of a month's first day: where clocks are put forward at midnight, that is no
 * midnight.
 */
function beginOf(month: string, timeZone: string): Date {
  const day = `${month}-01`;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let [before, after] = [-DAY_MINUTES, DAY_MINUTES];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const isThere = calendarDay(new Date(midnight + middle * MINUTE_MS), timeZone) >= day;
    if (isThere) after = middle;
    else before = middle;
  }
  return new Date(midnight + after * MINUTE_MS);
}
