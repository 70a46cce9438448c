import { addBusinessDays, addDays, addHours, isWeekend, nextMonday } from 'date-fns';
import { millisecondsInDay } from 'date-fns/constants';

import type { Package } from '~/domain/offer';
import { dueAfter } from '~/domain/closures';
import type { Period } from '~/domain/day-period';
import { addDays as dayAfter, changeDay, daysUntil } from '~/domain/timeline';
import type { RefundKind, StartChoice } from './states';

/** Directive 2011/83/EU, article 9; the day of the contract is not counted. */
export const WITHDRAWAL_DAYS = 14;

export type Delivery = { startsAt: Date; dueAt: Date };

export function deliveryFrom(
  at: Date,
  choice: StartChoice,
  hours: number,
  closed: readonly Period[],
): Delivery {
  const startsAt = choice === 'now' ? at : addDays(at, WITHDRAWAL_DAYS + 1);
  return { startsAt, dueAt: dueAfter(startsAt, hours, closed) };
}

/** The authorities advise to apply so long before departure. */
const OFFICIAL_HOURS = 72;

export const answerBy = (dueAt: Date): Date => addHours(dueAt, OFFICIAL_HOURS);

/** Not where the trip begins before the application could be filed and decided. */
export function mayStartLater(
  name: Package,
  later: Delivery,
  { travelDate, today }: { travelDate: string | null; today: string },
): boolean {
  if (name !== 'standard') return false;
  if (travelDate === null) return true;
  const ms = answerBy(later.dueAt).getTime() - later.startsAt.getTime();
  const needed = WITHDRAWAL_DAYS + 1 + Math.ceil(ms / millisecondsInDay);
  return daysUntil(travelDate, today) >= needed;
}

/** Public holidays count as working days: what is due after one comes a little early. */
export const businessDaysAfter = (day: string, count: number): string =>
  changeDay(day, (date) => addBusinessDays(date, count));

/** What would end on a weekend ends on the Monday (Regulation 1182/71, article 3(4)). */
export function lastWithdrawalDay(day: string): string {
  const last = dayAfter(day, WITHDRAWAL_DAYS);
  return changeDay(last, (date) => (isWeekend(date) ? nextMonday(date) : date));
}

export const lastGuaranteeDay = (day: string, days: number): string | undefined =>
  days > 0 ? dayAfter(day, days) : undefined;

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

/** Of a withdrawal by law, of all others by our promise. @param paidToDays in business days */
export function refundDueDay(kind: RefundKind, day: string, paidToDays: number): string {
  const isByLaw = kind === 'withdrawal' || kind === 'late_payment';
  return isByLaw ? dayAfter(day, REPAYMENT_DAYS) : businessDaysAfter(day, paidToDays);
}
