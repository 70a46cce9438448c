import { addDays, subDays } from 'date-fns';

/** So many days before an untouched application ends, its owner is told (live-mode.md, retention). */
export const NOTICE_DAYS = 7;
/** An expired application says that it has expired for so many days; then its row goes, too. */
export const EXPIRED_DAYS = 30;

/** Instants: what was left alone since before them is due for something. */
export interface ExpiryLimits {
  /** Untouched since then: it ends now. */
  ends: Date;
  /** Untouched since then: its owner is told. */
  told: Date;
  /** Expired by then: its row goes. */
  removed: Date;
}

/**
 * What is due of the applications that nobody has paid for (live-mode.md, status and work: `expire`).
 *
 * @param draftDays how many days one may be left alone; more than `NOTICE_DAYS`
 */
export function expiryLimits(now: Date, draftDays: number): ExpiryLimits {
  return {
    ends: subDays(now, draftDays),
    told: subDays(now, draftDays - NOTICE_DAYS),
    removed: subDays(now, EXPIRED_DAYS),
  };
}

/** When an unpaid application ends that its owner touched last at an instant. */
export function expiryOf(touchedAt: Date, draftDays: number): Date {
  return addDays(touchedAt, draftDays);
}

/**
 * What is due of the applications that have come to their end (live-mode.md, retention): when everything
 * in them goes, and when their owner is told.
 *
 * @param caseDays how many days after its end one is kept; more than `NOTICE_DAYS`
 */
export function caseLimits(now: Date, caseDays: number): Pick<ExpiryLimits, 'ends' | 'told'> {
  return { ends: subDays(now, caseDays), told: subDays(now, caseDays - NOTICE_DAYS) };
}

/** When everything in an application goes that came to its end at an instant. */
export function caseEndOf(closedAt: Date, caseDays: number): Date {
  return addDays(closedAt, caseDays);
}

/**
 * Orders that were paid before this instant go: the years of the settings count from the end of the year
 * of payment (Code de commerce, L123-22: ten years).
 */
export function orderLimit(now: Date, orderYears: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - orderYears, 0, 1));
}
