import { addBusinessDays, addDays, format, isWeekend, nextMonday, parseISO } from 'date-fns';

import { WITHDRAWAL_DAYS } from './delivery';
import type { RefundKind } from './states';

/*
 * Days as yyyy-MM-dd, where the site is. Weekends are counted out where the law or our promise speaks of
 * working days; public holidays are not: they differ from country to country, so a day that is one comes
 * a little early here.
 */

const inDays = (day: string, change: (date: Date) => Date) =>
  format(change(parseISO(day)), 'yyyy-MM-dd');

/** The day that is so many business days after another, Saturdays and Sundays left out. */
export function businessDaysAfter(day: string, count: number): string {
  return inDays(day, (date) => addBusinessDays(date, count));
}

/**
 * The last day on which a consumer may withdraw. A period that would end on a Saturday or Sunday ends on
 * the Monday (Regulation 1182/71, article 3(4)).
 *
 * @param day of the contract, which is not counted
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
 * @param day of the payment
 * @param days of the guarantee, as the order has them; 0: there is none
 * @returns undefined without a guarantee
 */
export function lastGuaranteeDay(day: string, days: number): string | undefined {
  return days > 0 ? inDays(day, (date) => addDays(date, days)) : undefined;
}

/** What somebody who wants their money back has a right to on a day. */
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
 * @param day on which it was asked for
 * @param paidToDays of the guarantee's settings, in business days
 */
export function refundDueDay(kind: RefundKind, day: string, paidToDays: number): string {
  const isByLaw = kind === 'withdrawal' || kind === 'late_payment';
  return isByLaw
    ? inDays(day, (date) => addDays(date, REPAYMENT_DAYS))
    : businessDaysAfter(day, paidToDays);
}
