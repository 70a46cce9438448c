import { calendarDay } from '~/domain/timeline';
import { env } from '~/env.server';
import { siteSettings } from '~/settings/settings.server';

/**
 * This instant. Nothing else in the program reads the clock, so that what depends on it can be
 * given another; lengths of time are measured with `performance.now()`.
 */
export function now(): Date {
  return new Date();
}

const MINUTE_MS = 60_000;
let lastDay = { minute: NaN, day: '' };

/** Today as `yyyy-MM-dd` in the operator's time zone, or the day of `TODAY`. */
export function today(): string {
  const { today: given } = env();
  if (given) return given;
  const instant = now();
  // Everywhere a day begins with a minute.
  const minute = Math.floor(instant.getTime() / MINUTE_MS);
  if (minute !== lastDay.minute) {
    lastDay = { minute, day: calendarDay(instant, siteSettings().timeZone) };
  }
  return lastDay.day;
}
