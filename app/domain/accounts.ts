import { addSeconds, min, subDays, subSeconds } from 'date-fns';

import type { Field } from './form';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

export type AccountKind = 'traveller' | 'staff';

/** An address as it is compared: `Marie@Example.EU ` and `marie@example.eu` are the same account. */
export const normalizeEmail = (email: string): string =>
  email.trim().normalize('NFKC').toLowerCase();

export const SESSION_LIFETIMES: Record<AccountKind, { idle: number; most: number }> = {
  traveller: { idle: 14 * DAY_S, most: 90 * DAY_S },
  staff: { idle: HOUR_S, most: 12 * HOUR_S },
};

export const sessionEnd = (kind: AccountKind, lastSeenAt: Date, expiresAt: Date): Date =>
  min([addSeconds(lastSeenAt, SESSION_LIFETIMES[kind].idle), expiresAt]);

/** The tries that cost nothing, and the pauses after them, in seconds (live-mode.md, throttle). */
const FREE_TRIES = 5;
const FIRST_PAUSE_S = 15;
const LONGEST_PAUSE_S = 15 * MINUTE_S;
const FORGOTTEN_S = DAY_S;

export function pauseAfter(tries: number): number {
  if (tries < FREE_TRIES) return 0;
  return Math.min(FIRST_PAUSE_S * 2 ** (tries - FREE_TRIES), LONGEST_PAUSE_S);
}

const LONGEST_DELAY_MS = 4000;

/** In milliseconds. Slows a try, refuses nobody: strangers would lock the owner out. */
export const delayAfter = (tries: number): number =>
  tries <= FREE_TRIES ? 0 : Math.min(1000 * 2 ** (tries - FREE_TRIES - 1), LONGEST_DELAY_MS);

export type Tries = { tries: number; freeAt: Date; updatedAt: Date };

/** Judges one more try: what to remember of it, or the seconds to wait before it. */
export type TryRule = (
  before: Tries | undefined,
  now: Date,
) => { after: Tries; wait?: undefined } | { wait: number; after?: undefined };

export const afterTry: TryRule = (before, now) => {
  const known = stillKnown(before, now);
  // A free try delays nobody: of two servers, one's clock is behind the other's.
  if (known && pauseAfter(known.tries) > 0 && known.freeAt > now) {
    return { wait: Math.ceil((known.freeAt.getTime() - now.getTime()) / 1000) };
  }
  const tries = (known?.tries ?? 0) + 1;
  return { after: { tries, freeAt: addSeconds(now, pauseAfter(tries)), updatedAt: now } };
};

export const afterSlowedTry: TryRule = (before, now) => {
  const tries = (stillKnown(before, now)?.tries ?? 0) + 1;
  return { after: { tries, freeAt: now, updatedAt: now } };
};

const stillKnown = (before: Tries | undefined, now: Date): Tries | undefined =>
  before && before.updatedAt > subSeconds(now, FORGOTTEN_S) ? before : undefined;

/** A mailbox gets one link for a new password in so long, whoever asks. */
export const RESET_PAUSE_S = 10 * MINUTE_S;

export const triesLimit = (now: Date): Date => subSeconds(now, FORGOTTEN_S);

export const PASSWORD_LENGTH = { least: 12, most: 128 };

/** The address of an account, as who signs in or up gives it; password managers keep it as the name. */
export const EMAIL_FIELD = {
  name: 'email',
  type: 'email',
  required: true,
  max_length: 254,
  rule: 'email',
  autocomplete: 'username',
  autocapitalize: 'none',
} as const satisfies Field;

/** A password that somebody has: of any length, as the rule may have been another one once. */
export const PASSWORD_FIELD = {
  name: 'password',
  type: 'password',
  required: true,
  max_length: PASSWORD_LENGTH.most,
  autocomplete: 'current-password',
} as const satisfies Field;

/** A password that somebody chooses; `newPasswordProblem` says what the descriptor cannot. */
export const NEW_PASSWORD_FIELD = {
  ...PASSWORD_FIELD,
  min_length: PASSWORD_LENGTH.least,
  autocomplete: 'new-password',
} as const satisfies Field;

export const NAME_LENGTH = 100;

export const SIGN_IN_FORM = [EMAIL_FIELD, PASSWORD_FIELD] as const;

const NAME = { type: 'text', required: false, max_length: NAME_LENGTH } as const;
export const FIRST_NAME_FIELD = {
  ...NAME,
  name: 'first_name',
  autocomplete: 'given-name',
} as const;
export const LAST_NAME_FIELD = { ...NAME, name: 'last_name', autocomplete: 'family-name' } as const;
export const SIGN_UP_FORM = [
  FIRST_NAME_FIELD,
  LAST_NAME_FIELD,
  EMAIL_FIELD,
  NEW_PASSWORD_FIELD,
] as const satisfies readonly Field[];

export const VERIFY_FORM = [PASSWORD_FIELD] as const;

export const FORGOT_FORM = [EMAIL_FIELD] as const;

export const RESET_FORM = [NEW_PASSWORD_FIELD] as const;

const UNCONFIRMED_DAYS = 30;

export const unconfirmedLimit = (now: Date): Date => subDays(now, UNCONFIRMED_DAYS);

type PasswordContext = { email: string; isCommon: (password: string) => boolean; siteName: string };

/** What people who try passwords on a site like this one try (docs/accounts.md). */
const OWN_WORDS = [
  ...['esta', 'usa', 'visa', 'travel', 'traveler', 'traveller', 'voyage', 'reise'],
  ...['passport', 'passeport', 'reisepass', 'admin', 'supervisor', 'auditor', 'agent'],
  ...['password', 'passwort', 'motdepasse'],
];
const LEAST_OWN_LETTERS = 4;

const lettersOf = (text: string) => text.normalize('NFD').toLowerCase().replace(/\P{L}/gu, '');

function isOwnWords(password: string, siteName: string): boolean {
  const letters = lettersOf(password);
  const words = [lettersOf(siteName), ...OWN_WORDS]
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length);
  const left = words.reduce((rest, word) => rest.replaceAll(word, ''), letters);
  return left.length < letters.length && left.length < LEAST_OWN_LETTERS;
}

export function passwordProblem(password: string, { email, isCommon, siteName }: PasswordContext) {
  const plain = password.toLowerCase();
  // `football2026!!` is tried as soon as `football`.
  const stem = plain.replace(/[\d\W_]+$/, '');
  const [name = ''] = normalizeEmail(email).split('@');
  if (plain === normalizeEmail(email) || plain === name) return 'ownAddress';
  const isTriedFirst = isCommon(plain) || isCommon(stem) || new Set(plain).size <= 2;
  return isTriedFirst || isOwnWords(password, siteName) ? 'common' : undefined;
}

export const TOKEN_LIFETIMES = {
  verifyEmail: DAY_S,
  resetPassword: 30 * MINUTE_S,
  confirmNewEmail: DAY_S,
  confirmOldEmail: DAY_S,
  recoverFactor: 30 * MINUTE_S,
  cancelRecovery: 8 * DAY_S,
  staffInvitation: 3 * DAY_S,
  // The mail may be read days later; a draft lives 30 days, and the link asks for the date of birth.
  resumeApplication: 7 * DAY_S,
  applicationStatus: DAY_S,
  // Longer than any unpaid application is kept after the last reminder, unless the settings say so.
  stopReminders: 90 * DAY_S,
  handOverPortrait: 30 * MINUTE_S,
  // Used again and again, as long as the answer that it leads back to is kept.
  replyMessage: 30 * DAY_S,
  // As often as codes come, until the application is entered.
  giveCode: 30 * DAY_S,
  // The answer counts for a day; afterwards the page says what came of it.
  answerWithdrawal: 30 * DAY_S,
} as const;
export type TokenPurpose = keyof typeof TOKEN_LIFETIMES;

export const APPLICATION_PURPOSES = ['resumeApplication', 'applicationStatus'] as const;
export type ApplicationPurpose = (typeof APPLICATION_PURPOSES)[number];

export const isApplicationPurpose = (purpose: TokenPurpose): purpose is ApplicationPurpose =>
  APPLICATION_PURPOSES.some((one) => one === purpose);
