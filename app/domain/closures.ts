import { hoursToMilliseconds, max } from 'date-fns';

import { dayPeriod, type Period } from './day-period';

/** Whole days, the first and the last; `who`: one of the staff alone, by their address. */
export type Closure = { from: string; until: string; who: string | null };

/** While everybody is away, in the order in which it begins. */
export const closedTimes = (closures: readonly Closure[], timeZone: string): Period[] =>
  closures
    .filter(({ who }) => who === null)
    .map(({ from, until }) => ({
      from: dayPeriod(from, timeZone).from,
      to: dayPeriod(until, timeZone).to,
    }))
    .sort((a, b) => a.from.getTime() - b.from.getTime());

/** When so many hours of a promise are over: those while we are closed do not count. */
export const dueAfter = (at: Date, hours: number, closed: readonly Period[]): Date =>
  afterOpen(at, hoursToMilliseconds(hours), closed);

function afterOpen(at: Date, ms: number, closed: readonly Period[]): Date {
  let [begin, left] = [at.getTime(), ms];
  for (const { from, to } of closed) {
    const open = Math.max(0, from.getTime() - begin);
    if (left <= open) break;
    left -= open;
    begin = Math.max(begin, to.getTime());
  }
  return new Date(begin + left);
}

/** How much of a promise that is due is left; negative: it is late. */
function openUntil(due: Date, at: Date, closed: readonly Period[]): number {
  let [begin, open] = [at.getTime(), 0];
  for (const { from, to } of closed) {
    if (from >= due) break;
    open += Math.max(0, from.getTime() - begin);
    begin = Math.max(begin, Math.min(to.getTime(), due.getTime()));
  }
  return open + due.getTime() - begin;
}

type Promised = { due_at: string | null; starts_at: string | null; paused_at: string | null };

/** Once work goes on there is as much left as when it was stopped for its traveller. */
export function dueAfterWait(of: Promised, now: Date, closed: readonly Period[]): string | null {
  if (of.due_at === null || of.paused_at === null) return of.due_at;
  const paused = new Date(of.paused_at);
  const left = openUntil(new Date(of.due_at), paused, closed);
  return afterOpen(max([paused, now]), left, closed).toISOString();
}

/** By other closures: what has been counted until now stays counted, and what is late stays late. */
export function dueByOthers(
  { due_at, starts_at, paused_at }: Promised,
  now: Date,
  { before, after }: Record<'before' | 'after', readonly Period[]>,
): string | null {
  if (due_at === null) return null;
  const from = paused_at === null ? max([starts_at ?? now, now]) : new Date(paused_at);
  const left = openUntil(new Date(due_at), from, before);
  return left > 0 ? afterOpen(from, left, after).toISOString() : due_at;
}
