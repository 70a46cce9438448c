import { addDays } from './timeline';

/** So many days the chart has, today among them. */
export const SHOWN_DAYS = 30;
/** So many days that are over are counted, if nobody has counted them. */
export const COUNTED_DAYS = 90;

/** What only staff end is named once it was due so many days ago. */
export const LONG_OPEN_DAYS = 60;

/** Payments and corrections can reach a day that is over; after so many days more, none does. */
const SETTLED_DAYS = 3;
const RECOUNT_MS = 60 * 60 * 1000;

export function isToCount(day: string, counted: { at: Date; day: string } | undefined, now: Date) {
  if (!counted) return true;
  if (counted.day > addDays(day, SETTLED_DAYS)) return false;
  return now.getTime() - counted.at.getTime() >= RECOUNT_MS;
}

/** How long something took, of which a promise says until when. */
export type Span = { from: string | null; due: string | null; done: string | null };

/** @returns the hours within which half of them were done, and how many were late */
export function timeTaken(spans: readonly Span[]) {
  const hours = spans
    .flatMap(({ from, done }) =>
      from && done ? Math.max(0, Date.parse(done) - Date.parse(from)) / (60 * 60 * 1000) : [],
    )
    .sort((a, b) => a - b);
  const late = spans.filter(({ due, done }) => due && done && done > due).length;
  return { late, count: hours.length, half: hours[Math.ceil(hours.length / 2) - 1] };
}

/** Fewer than so many from one country are not told apart from those of others. */
export const FEW = 5;

type Country = { code: string | null; count: number };
const sumOf = (counts: readonly Country[]) => counts.reduce((sum, { count }) => sum + count, 0);

/** Largest first; behind them, without a code, all of which there are few, or that are not known. */
export function fewTogether(counts: readonly Country[]): Country[] {
  const told = counts
    .filter(({ code, count }) => code && count >= FEW)
    .sort((a, b) => b.count - a.count);
  const others = sumOf(counts) - sumOf(told);
  return others > 0 ? [...told, { code: null, count: others }] : told;
}

export const shownCount = (count: number, most: number): string =>
  count < most ? String(count) : `${most - 1}+`;

/** Where an axis ends: 1, 2 or 5 with zeros, not below any of its values. */
export function axisEnd(values: readonly number[]): number {
  const most = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5].find((step) => step * power >= most) ?? 10) * power;
}
