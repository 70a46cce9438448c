import { addDays, subDays } from 'date-fns';

/**
 * The retention limit: assessments completed before it are older than `days` and must be deleted.
 */
export function retentionLimit(now: Date, days: number): Date {
  return subDays(now, days);
}

/** When an assessment is deleted that was completed at an instant and is kept for `days`. */
export function deletionDate(completedAt: Date, days: number): Date {
  return addDays(completedAt, days);
}

/** How long a run of the eligibility check can be gone on with, in seconds. */
export const RUN_LIFETIME_S = 2 * 60 * 60;

/** For how many days documents are kept once an application has ended (live-mode.md, retention). */
export const DOCUMENT_DAYS = 30;

export const UNPAID_PHOTO_DAYS = 7;

/** So many photos are taken, one after the other, of an application that nobody has paid for. */
export const MOST_PHOTOS = 10;
