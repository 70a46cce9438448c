import { dayOf } from '~/clock.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { daysBefore, filingTime, isToCount, KEPT_DAYS } from '~/domain/dashboard';
import { dayPeriod } from '~/domain/day-period';
import { siteSettings } from '~/settings/settings.server';
import {
  type Counts,
  countPeriod,
  listDayCounts,
  listFilings,
  listOutcomes,
  replaceDay,
} from '~db/queries/day-counts.server';
import type { Database } from '~db/schema';

/** Beside what a day came to: when it was counted, in seconds. */
const COUNTED_AT = 'counted';
/** Before the hours within which so many were filed. */
export const HOURS = 'hours ';

/**
 * Counts the days that are over and were not counted yet: whoever looks at them later reads a few rows,
 * however many applications there are. A day is one in the site's time zone; one that was counted stays
 * as it was in another. An outcome that is corrected later than `isToCount` looks back changes no day.
 *
 * @returns how many were counted
 */
export async function countDays(
  now: Date,
  { read, write }: Access = { read: queryDatabase, write: writeDatabase },
): Promise<number> {
  const days = daysBefore(dayOf(now), KEPT_DAYS);
  const [first = ''] = days;
  const rows = await read((db) => listDayCounts(db, first, [COUNTED_AT]));
  const countedAt = new Map(rows.map(({ day, value }) => [day, new Date(value * 1000)]));
  const missing = days.filter((day) => {
    const at = countedAt.get(day);
    return isToCount(day, at && { at, day: dayOf(at) }, now);
  });
  for (const day of missing) {
    const counts = await read((db) => countDay(db, day));
    const all = { ...counts, [COUNTED_AT]: Math.floor(now.getTime() / 1000) };
    await write((db) => replaceDay(db, day, all));
  }
  return missing.length;
}

interface Access {
  read: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
  write: <T>(work: (db: Database) => Promise<T>) => Promise<T>;
}

async function countDay(db: Database, day: string): Promise<Counts> {
  const period = dayPeriod(day, siteSettings().timeZone);
  const counted = await countPeriod(
    db,
    ['checks', 'drafts', 'certified', 'orders', 'filed'],
    period,
  );
  const outcomes = await listOutcomes(db, period);
  const countOf = (state: string) => outcomes.filter((one) => one === state).length;
  const times = (await listFilings(db, period)).flatMap((filing) => filingTime(filing) ?? []);
  const hours: Record<string, number> = {};
  for (const time of times) {
    const name = `${HOURS}${time.hours}`;
    hours[name] = (hours[name] ?? 0) + 1;
  }
  const late = times.filter(({ isLate }) => isLate).length;
  return {
    ...counted,
    late,
    approved: countOf('approved'),
    not_authorized: countOf('not_authorized'),
    ...hours,
  };
}
