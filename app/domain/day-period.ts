import { addDays, calendarDay } from './timeline';

const MINUTE_MS = 60_000;
/** Time zones are at most fourteen hours from UTC; a day is enough for all that have been. */
const DAY_MINUTES = 24 * 60;

/** 23 or 25 hours where clocks are changed. */
export function dayPeriod(day: string, timeZone: string): { from: Date; to: Date } {
  return { from: beginOfDay(day, timeZone), to: beginOfDay(addDays(day, 1), timeZone) };
}

/** The first minute of a day: no midnight where clocks are put forward then. */
export function beginOfDay(day: string, timeZone: string): Date {
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
