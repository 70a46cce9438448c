import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

import type { NumberType } from 'libphonenumber-js/max';

import { queueSms } from '~/mail/outbox.server';
import { afterSms, PHONE_CODE, SMS_LIMITS, type SmsLimit } from '~/domain/factors';
import { keysFor } from '~/http/secret.server';
import type { Language } from '~/i18n/languages';
import type { Database } from '~db/schema';
import { listEligibleCodes } from '~db/queries/countries.server';
import { findTries } from '~db/queries/sessions.server';
import { countUnder, keyOf } from './throttle.server';

/** Not a landline, which shows no codes, nor numbers that cost whoever calls them. */
const MOBILE: readonly (NumberType | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'VOIP'];

/** E.164; undefined if it takes no codes, or its calling code is of no programme country. */
export async function phoneNumberOf(db: Database, typed: string, country: string | undefined) {
  // Only these numbers of the library know all types.
  const phones = await import('libphonenumber-js/max');
  const { default: parse, isSupportedCountry, getCountryCallingCode } = phones;
  if (typed.length > 40) return undefined;
  const home = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const number = parse(typed, { ...(home && { defaultCountry: home }), extract: false });
  if (!number?.isValid() || number.ext || !MOBILE.includes(number.getType())) return undefined;
  const callingCodes = (await listEligibleCodes(db))
    .filter((code) => isSupportedCountry(code))
    .map((code) => getCountryCallingCode(code));
  return callingCodes.includes(number.countryCallingCode) ? number.number : undefined;
}

export interface CodeMessage {
  phone: string;
  userId: string;
  client: string;
  isVerified: boolean;
}

export async function isDayFull(db: Database, message: CodeMessage, now: Date): Promise<boolean> {
  for (const [key, { aDay }] of limitsOf(message)) {
    const sent = await findTries(db, key);
    if (sent && sent.freeAt > now && sent.tries >= aDay) return true;
  }
  return false;
}

export async function smsLimit(db: Database, message: CodeMessage, now: Date): Promise<number> {
  const limits = limitsOf(message).map(([key, limit]) => [key, afterSms(limit)] as const);
  return countUnder(db, limits, now);
}

function limitsOf({ phone, userId, client, isVerified }: CodeMessage): [string, SmsLimit][] {
  if (isVerified) return [[keyOf('sms', 'factor', phone, userId), SMS_LIMITS.factor]];
  return [
    [keyOf('sms', 'new number', phone), SMS_LIMITS.newNumber],
    [keyOf('sms', 'account', userId), SMS_LIMITS.account],
    [keyOf('sms', 'client', client), SMS_LIMITS.client],
  ];
}

export async function sendPhoneCode(
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
