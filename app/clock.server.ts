import { calendarDay } from '~/domain/timeline';
import { env } from '~/env.server';
import { siteSettings } from '~/settings/settings.server';

/**
 * The current time. Nothing else in the program reads the clock (a lint rule), so tests can inject
 * another; durations are measured with `performance.now()`.
 */
export function now(): Date {
  return new Date();
}

const MINUTE_MS = 60_000;
let cachedDay = { minute: NaN, day: '' };

/** Today as `yyyy-MM-dd` in the operator's time zone, or the day of `TODAY`. */
export function today(): string {
  const { today: fixedDay } = env();
  if (fixedDay) return fixedDay;
  const instant = now();
  // In every time zone, a day starts on a full minute.
  const minute = Math.floor(instant.getTime() / MINUTE_MS);
  if (minute !== cachedDay.minute) {
    cachedDay = { minute, day: dayOf(instant) };
  }
  return cachedDay.day;
}

/** The calendar day of an instant in the operator's time zone, as `yyyy-MM-dd`. */
export function dayOf(instant: Date): string {
  return calendarDay(instant, siteSettings().timeZone);
}
