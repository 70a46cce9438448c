import { addDays, max, subDays } from 'date-fns';

/** So many days before an application is deleted, its owner is told (live-mode.md, retention). */
export const NOTICE_DAYS = 7;
/** So many days beyond its time it is tried to tell an owner whose address has had all its mails. */
export const PATIENCE_DAYS = 7;
/** An expired application says that it has expired for so many days; then its row goes, too. */
export const EXPIRED_DAYS = 30;

/** Instants: what was left alone, or has ended, before them is due for something. */
export interface NoticeLimits {
  told: Date;
  /** Its time is over: it goes, if its owner was told in time or cannot be told. */
  ends: Date;
  /** Told by then: that was in time. */
  inTime: Date;
  /** Could not be told until now: it goes all the same. */
  last: Date;
}

export interface ExpiryLimits extends NoticeLimits {
  /** Expired by then: its row goes. */
  removed: Date;
}

const noticeLimits = (now: Date, days: number): NoticeLimits => ({
  told: subDays(now, days - NOTICE_DAYS),
  ends: subDays(now, days),
  inTime: subDays(now, NOTICE_DAYS),
  last: subDays(now, days + PATIENCE_DAYS),
});

/**
 * What is due of the applications that nobody has paid for (live-mode.md, status and work: `expire`).
 *
 * @param draftDays how many days one may be left alone; more than `NOTICE_DAYS`
 */
export function expiryLimits(now: Date, draftDays: number): ExpiryLimits {
  return { ...noticeLimits(now, draftDays), removed: subDays(now, EXPIRED_DAYS) };
}

/** When something goes whose owner was told at an instant: when its time is over, and a week later at least. */
export function endAfterNotice(end: Date, toldAt: Date): Date {
  return max([end, addDays(toldAt, NOTICE_DAYS)]);
}

/**
 * When an unpaid application ends that its owner touched last at an instant.
 *
 * @param toldAt when they were told of it; null: not yet
 */
export function expiryOf(touchedAt: string, draftDays: number, toldAt: string | null = null): Date {
  const end = addDays(new Date(touchedAt), draftDays);
  return toldAt === null ? end : endAfterNotice(end, new Date(toldAt));
}

/**
 * What is due of the applications that have come to their end (live-mode.md, retention): when everything
 * in them goes, and when their owner is told.
 *
 * @param caseDays how many days after its end one is kept; more than `NOTICE_DAYS`
 */
export function caseLimits(now: Date, caseDays: number): NoticeLimits {
  return noticeLimits(now, caseDays);
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
