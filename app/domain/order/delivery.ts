import { addDays, addHours, differenceInCalendarDays, parseISO } from 'date-fns';

import type { Package } from '../offer';
import type { StartChoice } from './states';

/**
 * The days in which a consumer may withdraw (Directive 2011/83/EU, article 9). The day of the contract
 * is not counted (Regulation 1182/71, article 3).
 */
export const WITHDRAWAL_DAYS = 14;

/** When our work begins, and by when it is done. */
export interface Delivery {
  startsAt: Date;
  dueAt: Date;
}

/**
 * When our work begins and by when it is done, counted from an instant: the order, or its payment.
 *
 * @param hours of the package
 */
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
 * @param today yyyy-MM-dd, where the site is
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
