import { addMinutes, addSeconds, subDays, subHours } from 'date-fns';

export const LEASE_S = 60;

/** The waits after the first tries, in minutes: from one minute to six hours (live-mode.md). */
const WAITS_MIN = [1, 3, 8, 20, 60, 150, 360];

export function nextTry(tries: number, now: Date): Date | undefined {
  const wait = WAITS_MIN[Math.max(tries, 1) - 1];
  return wait === undefined ? undefined : addMinutes(now, wait);
}

/** Of a message without a reader, or whose time is over: no later try would send it. */
export const isFinal = (code: string): boolean =>
  ['GONE', 'LATE', 'MOVED', 'NO_SMS_URL'].includes(code);

const CODE_LIFETIME_S = 5 * 60;

export const isLate = (channel: 'mail' | 'sms', createdAt: Date, now: Date): boolean =>
  channel === 'sms' && addSeconds(createdAt, CODE_LIFETIME_S) <= now;

/** What is sent to addresses that nobody has confirmed, at most: of a kind, and for a client. */
export const UNVERIFIED_LIMITS = {
  to: { most: 3, since: (now: Date) => subDays(now, 1) },
  client: { most: 10, since: (now: Date) => subHours(now, 1) },
} as const;

/** Whoever signs up gets one of these; which, must not be told by a limit. */
const OF_SIGN_UP = ['verifyEmail', 'alreadyRegistered'];

/** Strangers' sign-ups use up no other mail. */
export const kindsCountedWith = (kind: string): readonly string[] =>
  OF_SIGN_UP.includes(kind) ? OF_SIGN_UP : [kind];
