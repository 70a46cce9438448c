import {
  addBusinessDays,
  addDays,
  addHours,
  differenceInCalendarDays,
  format,
  isWeekend,
  nextMonday,
  parseISO,
} from 'date-fns';

import type { Package } from '~/domain/offer';
import type { RefundKind, StartChoice } from './states';

/**
 * The days in which a consumer may withdraw (Directive 2011/83/EU, article 9), the day of the contract not
 * counted.
 */
export const WITHDRAWAL_DAYS = 14;

export interface Delivery {
  startsAt: Date;
  dueAt: Date;
}

/** When our work begins and by when it is done, counted from an instant: the order, or its payment. */
export function deliveryFrom(at: Date, choice: StartChoice, hours: number): Delivery {
  const startsAt = choice === 'now' ? at : addDays(at, WITHDRAWAL_DAYS + 1);
  return { startsAt, dueAt: addHours(startsAt, hours) };
}

/** The authorities advise to apply so long before departure. */
const OFFICIAL_HOURS = 72;

/**
 * Whether work may begin after the days of withdrawal: with the Standard package only, and not where
 * the trip begins before the application could be filed and decided.
 *
 * @param travelDate yyyy-MM-dd; null: none is known yet
 */
export function mayStartLater(
  { name, hours }: { name: Package; hours: number },
  travelDate: string | null,
  today: string,
): boolean {
  if (name !== 'standard') return false;
  if (travelDate === null) return true;
  const needed = WITHDRAWAL_DAYS + 1 + Math.ceil((hours + OFFICIAL_HOURS) / 24);
  return differenceInCalendarDays(parseISO(travelDate), parseISO(today)) >= needed;
}

/*
 * Days as yyyy-MM-dd, where the site is. Public holidays count as working days: they differ from country to
 * country, so what is due after one comes a little early here.
 */

const inDays = (day: string, change: (date: Date) => Date) =>
  format(change(parseISO(day)), 'yyyy-MM-dd');

export function businessDaysAfter(day: string, count: number): string {
  return inDays(day, (date) => addBusinessDays(date, count));
}

/**
 * The last day on which a consumer may withdraw, the day of the contract not counted. A period that would
 * end on a Saturday or Sunday ends on the Monday (Regulation 1182/71, article 3(4)).
 */
export function lastWithdrawalDay(day: string): string {
  return inDays(day, (date) => {
    const last = addDays(date, WITHDRAWAL_DAYS);
    return isWeekend(last) ? nextMonday(last) : last;
  });
}

/**
 * The last day on which the price can be asked back under our guarantee.
 *
 * @param days of the guarantee, as the order has them; 0: there is none
 */
export function lastGuaranteeDay(day: string, days: number): string | undefined {
  return days > 0 ? inDays(day, (date) => addDays(date, days)) : undefined;
}

export type Standing = 'withdrawal' | 'guarantee' | 'over';

/** By which right the price is asked back: that of the law, our guarantee, or none any more. */
export function standingOn(
  day: string,
  { contractDay, guaranteeDays }: { contractDay: string; guaranteeDays: number },
): Standing {
  if (day <= lastWithdrawalDay(contractDay)) return 'withdrawal';
  const last = lastGuaranteeDay(contractDay, guaranteeDays);
  return last !== undefined && day <= last ? 'guarantee' : 'over';
}

/** Money is due so many days after a withdrawal (Directive 2011/83/EU, article 13(1)). */
const REPAYMENT_DAYS = 14;

/**
 * The day by which a refund must be paid: of a withdrawal by law, as of money that was never ours; of
 * all others by our promise.
 *
 * @param paidToDays in business days
 */
export function refundDueDay(kind: RefundKind, day: string, paidToDays: number): string {
  const isByLaw = kind === 'withdrawal' || kind === 'late_payment';
  return isByLaw
    ? inDays(day, (date) => addDays(date, REPAYMENT_DAYS))
    : businessDaysAfter(day, paidToDays);
}
