import { addDays } from './timeline';

/** So many days the chart has, today among them; and so many before today its figures are of. */
export const SHOWN_DAYS = 30;
/** Outcomes are told of so many days, too: few are decided in a month. */
export const KEPT_DAYS = 90;

/** What only staff end is named once it was due so many days ago. */
export const LONG_OPEN_DAYS = 60;

export function daysBefore(today: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(today, index - count));
}

/** Payments and corrections can reach a day that is over; after so many days more, none does. */
const SETTLED_DAYS = 3;
const RECOUNT_MS = 60 * 60 * 1000;

export function isToCount(day: string, counted: { at: Date; day: string } | undefined, now: Date) {
  if (!counted) return true;
  if (counted.day > addDays(day, SETTLED_DAYS)) return false;
  return now.getTime() - counted.at.getTime() >= RECOUNT_MS;
}

export interface Filing {
  starts_at: string | null;
  due_at: string | null;
  /** When all was entered on the official site: what comes after it, the fee, is not ours to hurry. */
  entered_at: string | null;
  filed_at: string | null;
}

export function filingTime({ starts_at, due_at, entered_at, filed_at }: Filing) {
  const done = entered_at ?? filed_at;
  if (done === null || due_at === null || starts_at === null) return undefined;
  const ms = Math.max(0, Date.parse(done) - Date.parse(starts_at));
  return { isLate: done > due_at, hours: hourStep(ms / (60 * 60 * 1000)) };
}

function hourStep(hours: number): number {
  const width = hours <= 24 ? 1 : hours <= 72 ? 4 : 12;
  return Math.min(LONGEST_STEP, Math.max(1, Math.ceil(hours / width) * width));
}
const LONGEST_STEP = 240;

export function medianStep(counts: ReadonlyMap<number, number>): number | undefined {
  const steps = [...counts].sort(([a], [b]) => a - b);
  const all = steps.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [step, count] of steps) {
    seen += count;
    if (count > 0 && seen * 2 >= all) return step;
  }
  return undefined;
}

export function shownCount(count: number, most: number): string {
  return count < most ? String(count) : `${most - 1}+`;
}

/** Where an axis ends: 1, 2 or 5 with zeros, not below any of its values. */
export function axisEnd(values: readonly number[]): number {
  const most = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5].find((step) => step * power >= most) ?? 10) * power;
}
