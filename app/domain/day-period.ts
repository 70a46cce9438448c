import { addDays, calendarDay, isDay } from './timeline';

const MINUTE_MS = 60_000;
/** Time zones are at most fourteen hours from UTC; a day is enough for all that have been. */
const DAY_MINUTES = 24 * 60;

export type Period = { from: Date; to: Date };

/** 23 or 25 hours where clocks are changed. */
export const dayPeriod = (day: string, timeZone: string): Period => ({
  from: beginOfDay(day, timeZone),
  to: beginOfDay(addDays(day, 1), timeZone),
});

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

/** Of what somebody types, such as `2026-11-24T14:00`. Clocks are changed in the first hours of a day. */
export function localInstant(local: string, timeZone: string): Date | undefined {
  const [, day = '', hour, minute] =
    /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)$/.exec(local) ?? [];
  if (!isDay(day)) return undefined;
  const minutes = Number(hour) * 60 + Number(minute);
  const { from, to } = dayPeriod(day, timeZone);
  const isLater = minutes >= 4 * 60;
  const near = isLater ? to.getTime() - DAY_MINUTES * MINUTE_MS : from.getTime();
  return new Date(near + minutes * MINUTE_MS);
}
