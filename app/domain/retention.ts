import { addDays, max, subDays } from 'date-fns';

import { type ApplicationState, ENDED_STATES, UNPAID } from './application/states';

export const RUN_LIFETIME_S = 2 * 60 * 60;

/** For how many days documents are kept once an application has ended (live-mode.md, retention). */
export const DOCUMENT_DAYS = 30;
export const UNPAID_PHOTO_DAYS = 7;
/** So many photos are taken, one after the other, of an application that nobody has paid for. */
export const MOST_PHOTOS = 10;

/** So many days before an application is deleted, its owner is told (live-mode.md, retention). */
const NOTICE_DAYS = 7;
/** So many days beyond its time it is tried to tell an owner whose address has had all its mails. */
const PATIENCE_DAYS = 7;
/** An expired application says that it has expired for so many days; then its row goes, too. */
export const EXPIRED_DAYS = 30;
/** The provider tells of an event for three days, and lets an operator send it anew for thirty. */
export const PAYMENT_EVENT_DAYS = 60;

export const ENDINGS = {
  draftEnds: { states: UNPAID, since: 'updated_at', days: 'draftDays' },
  caseEnds: { states: ENDED_STATES, since: 'closed_at', days: 'caseDays' },
} as const;
export type Ending = (typeof ENDINGS)[keyof typeof ENDINGS];

/** @param days how many an application is kept; more than `NOTICE_DAYS` */
export const noticeLimits = (now: Date, days: number) => ({
  told: subDays(now, days - NOTICE_DAYS),
  /** Its time is over: it goes, if its owner was told in time or cannot be told. */
  ends: subDays(now, days),
  /** Told by then: that was in time. */
  inTime: subDays(now, NOTICE_DAYS),
  /** Could not be told until now: it goes all the same. */
  last: subDays(now, days + PATIENCE_DAYS),
});
export type NoticeLimits = ReturnType<typeof noticeLimits>;

export function endsAt(since: string, days: number, toldAt: string | null = null): Date {
  const end = addDays(new Date(since), days);
  return toldAt === null ? end : max([end, addDays(new Date(toldAt), NOTICE_DAYS)]);
}

/** So many days before arrival staff look whether an ESTA is approved still, if its owner ticked it. */
export const LOOK_DAYS = 5;

type Looked = { state: ApplicationState; look_on: string | null };

/** Whether what such a look takes stays: until the day after arrival. @param day today */
export const keepsLook = ({ state, look_on }: Looked, day: string) =>
  state === 'approved' && look_on !== null && look_on >= day;

/** The years count from the end of the year of payment (Code de commerce, L123-22: ten years). */
export const orderLimit = (now: Date, orderYears: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear() - orderYears, 0, 1));
