import { dayOf, today } from '~/clock.server';
import { isMonth, nextMonth } from '~/domain/order/month';

export function monthNow(): string {
  return today().slice(0, 7);
}

/** The month that is asked for; undefined if none is. */
export function monthAsked(asked: URLSearchParams): string | undefined {
  const month = asked.get('month') ?? '';
  return isMonth(month) ? month : undefined;
}

/**
 * The months to choose from, the latest first: from the first payment until now, and the one that is
 * shown.
 */
export function monthsToChoose(firstPaidAt: string | undefined, shown: string): string[] {
  const last = monthNow();
  const months = new Set([last, shown]);
  const first = firstPaidAt === undefined ? last : dayOf(new Date(firstPaidAt)).slice(0, 7);
  for (let month = first; month < last; month = nextMonth(month)) months.add(month);
  return [...months].sort().reverse();
}
