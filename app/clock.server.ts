import { calendarDay } from '~/domain/timeline';
import { currentApp, currentRequest, perApp } from '~/current-app.server';
import { env } from '~/env.server';
import { baseSettings } from '~/settings/settings.server';

/** The current time. Nothing else in the program reads the clock (a lint rule). */
export const now = (): Date => currentApp().clock?.now() ?? new Date();

export const elapsed = (): number => currentApp().clock?.elapsed() ?? performance.now();

/** If the process still runs then. @returns takes it back */
export function later(ms: number, work: () => void): () => void {
  const { clock } = currentApp();
  if (clock) return clock.later(ms, work);
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

export async function pause(ms: number): Promise<void> {
  const isHeld = currentApp().clock !== undefined;
  await new Promise<void>((resolve) => {
    if (isHeld) later(ms, resolve);
    else setTimeout(resolve, ms);
  });
}

const MINUTE_MS = 60_000;
const cachedDay = perApp(() => ({ minute: NaN, day: '' }));

/** Today as `yyyy-MM-dd` in the operator's time zone, or the day of `TODAY`; the one an owner looks at. */
export const today = (): string => currentRequest()?.day ?? realToday();

export function realToday(): string {
  const { today: fixedDay } = env();
  if (fixedDay) return fixedDay;
  const instant = now();
  // In every time zone, a day starts on a full minute.
  const minute = Math.floor(instant.getTime() / MINUTE_MS);
  const cached = cachedDay();
  if (minute !== cached.minute) Object.assign(cached, { minute, day: dayOf(instant) });
  return cached.day;
}

export const dayOf = (instant: Date): string => calendarDay(instant, baseSettings().timeZone);
