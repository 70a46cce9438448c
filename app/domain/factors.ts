import { addHours, addSeconds, differenceInHours, subHours } from 'date-fns';

import type { TryRule } from './accounts';
import { crockford, readCrockford } from './crockford';

/** A code of an authenticator: how long one is shown, and how far clocks may be apart (RFC 6238, 5.2). */
export const TOTP = { digits: 6, periodS: 30, window: 1, secretBytes: 20 } as const;

export const PHONE_CODE = { digits: 6, lifetimeS: 5 * 60, tries: 5 } as const;

export type SmsLimit = { pauseS: number; aDay: number };

/**
 * The codes of a factor that counts have a count of their own: who enters somebody else's number uses
 * none of them up. Those of a number that is being added are few, whoever asks: each costs the
 * operator.
 */
export const SMS_LIMITS = {
  factor: { pauseS: 60, aDay: 5 },
  newNumber: { pauseS: 60, aDay: 2 },
  account: { pauseS: 0, aDay: 5 },
  client: { pauseS: 0, aDay: 10 },
} as const satisfies Record<string, SmsLimit>;

export const CHALLENGE_S = PHONE_CODE.lifetimeS;

export const CODE = { name: 'code', type: 'text', required: true, max_length: 40 } as const;

export const CODE_FIELD = { ...CODE, autocomplete: 'one-time-code', inputmode: 'numeric' } as const;
export const RECOVERY_FIELD = {
  ...CODE,
  autocomplete: 'off',
  autocapitalize: 'characters',
} as const;

export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '');

export const isSixDigits = (typed: string): boolean => /^\d{6}$/.test(plainCode(typed));

/** As it is remembered, `freeAt` is when the day of the first message ends. */
export const afterSms =
  ({ pauseS, aDay }: SmsLimit): TryRule =>
  (before, now) => {
    const known = before && before.freeAt > now ? before : undefined;
    if (!known) return { after: { tries: 1, freeAt: addHours(now, 24), updatedAt: now } };
    const pausedUntil = addSeconds(known.updatedAt, pauseS);
    const free = known.tries >= aDay ? known.freeAt : pausedUntil;
    if (free > now) return { wait: Math.ceil((free.getTime() - now.getTime()) / 1000) };
    return { after: { tries: known.tries + 1, freeAt: known.freeAt, updatedAt: now } };
  };

const RECOVERY_BYTES = 15;
const GROUP = 8;
const GROUPS = 3;
/** Codes that were made with 80 bits stay good. */
const FORMER_GROUPS = 2;
export const RECOVERY_CODES = { count: 10, bytes: RECOVERY_BYTES } as const;

/** `4T7KX0QD-9M2HVB6C-0Q3WZ8NE`, of 120 random bits: a plain hash is enough to keep it (ASVS 6.5.2). */
export const recoveryCodeOf = (random: Uint8Array): string =>
  (crockford(random.subarray(0, RECOVERY_BYTES)).match(/.{8}/g) ?? []).join('-');

export function plainRecoveryCode(typed: string): string | undefined {
  const plain = plainCode(typed);
  return readCrockford(plain, GROUPS * GROUP) ?? readCrockford(plain, FORMER_GROUPS * GROUP);
}

const REMOVAL_DAYS = 7;
const NOTICE_HOURS = 24;

export const removalDue = (now: Date): Date => addHours(now, REMOVAL_DAYS * 24);

export const noticeLimit = (now: Date): Date => subHours(now, NOTICE_HOURS);

/** The day's notice that is due by now: so many whole days after the request, however late a job runs. */
export function noticeOf(requestedAt: Date, now: Date): Date {
  const days = Math.floor(differenceInHours(now, requestedAt) / NOTICE_HOURS);
  return addHours(requestedAt, days * NOTICE_HOURS);
}

export const unfinishedLimit = (now: Date): Date => subHours(now, 24);
