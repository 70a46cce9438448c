import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

import type { NumberType } from 'libphonenumber-js/max';

import { queueSms } from '~/mail/outbox.server';
import { afterSms, PHONE_CODE, SMS_LIMITS, type SmsLimit } from '~/domain/factors';
import { keysFor } from '~/http/secret.server';
import type { Language } from '~/i18n/languages';
import type { Database } from '~db/schema';
import { listEligibleCodes } from '~db/queries/countries.server';
import { findTries, replaceTries } from '~db/queries/throttles.server';

/** Loaded when the first number is typed; only these numbers of the library know all types. */
const loadPhones = () => import('libphonenumber-js/max');

/**
 * The types of number that codes are sent to. Not a landline, which shows none, nor those that cost
 * whoever calls them: premium rate, shared cost, personal, pager and the like.
 */
const MOBILE: readonly (NumberType | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'VOIP'];

/**
 * A number as it is sent to (E.164).
 *
 * @param typed in the national format of `country` (ISO 3166-1), or with a calling code
 * @returns undefined if it is none, of a type that takes no codes, or its calling code is of no
 *   programme country
 */
export async function phoneNumberOf(
  db: Database,
  typed: string,
  country: string | undefined,
): Promise<string | undefined> {
  const { default: parse, isSupportedCountry, getCountryCallingCode } = await loadPhones();
  if (typed.length > 40) return undefined;
  const home = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const number = parse(typed, { ...(home && { defaultCountry: home }), extract: false });
  if (!number?.isValid() || number.ext || !MOBILE.includes(number.getType())) return undefined;
  const callingCodes = (await listEligibleCodes(db))
    .filter((code) => isSupportedCountry(code))
    .map((code) => getCountryCallingCode(code));
  return callingCodes.includes(number.countryCallingCode) ? number.number : undefined;
}

/** What a list shows of a number, so that its owner knows it and nobody else learns it. */
export function phoneEnding(phone: string): string {
  return `··${phone.slice(-2)}`;
}

export interface CodeMessage {
  phone: string;
  userId: string;
  client: string;
  /** Of a factor that counts; otherwise of one that is being added. */
  isVerified: boolean;
}

/** Whether the messages of a day are used up, without counting one. */
export async function isDayFull(db: Database, message: CodeMessage, now: Date): Promise<boolean> {
  for (const [key, limit] of limitsOf(message)) {
    const refused = afterSms(await findTries(db, key), limit, now);
    if (refused.wait !== undefined && refused.isDayFull) return true;
  }
  return false;
}

/** Counts a message. @returns 0, or the seconds to wait before it; then it may not be sent */
export async function countSms(db: Database, message: CodeMessage, now: Date): Promise<number> {
  const limits = limitsOf(message);
  let longest = 0;
  for (const [key, limit] of limits) {
    longest = Math.max(longest, afterSms(await findTries(db, key), limit, now).wait ?? 0);
  }
  if (longest > 0) return longest;
  for (const [key, limit] of limits) {
    longest = Math.max(longest, await countUnder(db, key, limit, now));
  }
  return longest;
}

/** Until nobody comes in between: of those who read the same, one writes. */
async function countUnder(db: Database, key: string, limit: SmsLimit, now: Date): Promise<number> {
  for (;;) {
    const before = await findTries(db, key);
    const { after, wait } = afterSms(before, limit, now);
    if (wait !== undefined) return wait;
    if (await replaceTries(db, key, before, after)) return 0;
  }
}

/** Always in the same order: two that wait for each other's rows would wait for ever. */
function limitsOf({ phone, userId, client, isVerified }: CodeMessage): [string, SmsLimit][] {
  const limits: [string, SmsLimit][] = isVerified
    ? [[keyOf('factor', phone, userId), SMS_LIMITS.factor]]
    : [
        [keyOf('new number', phone), SMS_LIMITS.newNumber],
        [keyOf('account', userId), SMS_LIMITS.account],
        [keyOf('client', client), SMS_LIMITS.client],
      ];
  return limits.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Hashed: the table tells nobody who has which number. */
function keyOf(...parts: string[]): string {
  const [secret = ''] = keysFor('throttle');
  return createHmac('sha256', secret)
    .update(JSON.stringify(['sms', ...parts]))
    .digest('base64url');
}

/** Queues a new code for a number. @returns what is stored of it */
export async function sendCode(
  db: Database,
  to: { challengeId: string; phone: string; userId: string; language: Language },
  now: Date,
): Promise<string> {
  const code = String(randomInt(10 ** PHONE_CODE.digits)).padStart(PHONE_CODE.digits, '0');
  const { phone, userId, language, challengeId } = to;
  await queueSms(db, { kind: 'phoneCode', to: phone, userId, language, parameters: { code } }, now);
  return hashesOf(challengeId, code)[0] ?? '';
}

export function isCodeSent(challengeId: string, stored: string | null, code: string): boolean {
  if (stored === null) return false;
  const kept = Buffer.from(stored);
  return hashesOf(challengeId, code).some((hash) => {
    const given = Buffer.from(hash);
    return given.length === kept.length && timingSafeEqual(given, kept);
  });
}

/** With a key: a million codes are soon tried on a plain hash. */
function hashesOf(challengeId: string, code: string): string[] {
  return keysFor('phone code').map((key) =>
    createHmac('sha256', key).update(`${challengeId} ${code}`).digest('base64url'),
  );
}
