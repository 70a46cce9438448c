import { randomUUID, createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { addSeconds } from 'date-fns';
import type { Insertable } from 'kysely';
import { z } from 'zod/v4';
import type { NumberType } from 'libphonenumber-js/max';

import {
  CHALLENGE_S,
  isSixDigits,
  PHONE_CODE,
  plainCode,
  unfinishedLimit,
  afterSms,
  SMS_LIMITS,
  type SmsLimit,
} from '~/domain/factors';
import type { Language } from '~/i18n/languages';
import { canSendSms, mailUser, queueSms } from '~/mail/outbox.server';
import { sealColumn, unsealColumn } from '~/sealing/seal.server';
import type { Database, Schema } from '~db/schema';
import {
  countAttempt,
  deleteFactors,
  deleteRecoveryCodes,
  deleteUnfinishedFactors,
  type FactorRow,
  findOpenChallenge,
  insertChallenge,
  listFactorRows,
  markChallengeUsed,
  markFactorVerified,
  moveStep,
} from '~db/queries/factors.server';
import { rowsIn } from '~db/queries/rows.server';
import { deleteSessions, touchSession, findTries } from '~db/queries/sessions.server';
import { findUser, lockUser } from '~db/queries/users.server';
import { audit, type AuditActor } from './audit.server';
import { cancelRemoval } from './factor-removal.server';
import { newSecret, stepOfCode, totpSetup } from './totp.server';
import { keysFor } from '~/http/secret.server';
import { listEligibleCodes } from '~db/queries/countries.server';
import { countUnder, keyOf } from './throttle.server';

type OfFactor = { userId: string; factorId: string };

interface OfChallenge extends OfFactor {
  sessionId: string;
}

/** Finished or not, the oldest first; of a phone the ending, such as `··42`. */
export async function listFactors(db: Database, userId: string) {
  return (await listFactorRows(db, userId)).map((row) => {
    const { id, friendly_name, factor_type, status, created_at } = row;
    const phone = phoneOf(row);
    const ending = phone !== undefined && { phone: `··${phone.slice(-2)}` };
    return { id, friendly_name, factor_type, status, created_at, ...ending };
  });
}
export type Factor = Awaited<ReturnType<typeof listFactors>>[number];

const phoneOf = (row: FactorRow) => unsealColumn('auth_factors', row, 'phone_sealed');
const secretOf = (row: FactorRow) => unsealColumn('auth_factors', row, 'secret_sealed');

const findOwn = async (db: Database, { userId, factorId }: OfFactor) =>
  (await listFactorRows(db, userId)).find(({ id }) => id === factorId);

/** It counts after `confirmFactor`. One of the same name that was not finished is replaced. */
export async function enrollTotp(
  db: Database,
  { userId, email, friendlyName }: { userId: string; email: string; friendlyName: string },
  now: Date,
) {
  const secret = await newSecret();
  const id = randomUUID();
  const secret_sealed = sealColumn('auth_factors', id, 'secret_sealed', secret);
  const factor = { id, user_id: userId, friendly_name: friendlyName, secret_sealed };
  const isNew = await begin(db, { ...factor, factor_type: 'totp' }, now);
  return isNew ? { id, ...(await totpSetup(secret, email)) } : 'nameTaken';
}

type NewFactor = Omit<Insertable<Schema['auth_factors']>, 'status' | 'created_at' | 'updated_at'>;

async function begin(db: Database, factor: NewFactor, now: Date): Promise<boolean> {
  const unfinished = { name: factor.friendly_name, before: unfinishedLimit(now) };
  await deleteUnfinishedFactors(db, factor.user_id, unfinished);
  const at = now.toISOString();
  return rowsIn(db).insertNew('auth_factors', {
    ...factor,
    status: 'unverified',
    created_at: at,
    updated_at: at,
  });
}

/** Undefined once it counts: then nobody is shown its secret. */
export async function totpOf(db: Database, userId: string, factorId: string) {
  const factor = await findOwn(db, { userId, factorId });
  const secret = factor && factor.status !== 'verified' ? secretOf(factor) : undefined;
  return secret && totpSetup(secret, (await findUser(db, userId))?.email ?? '');
}

/** Sends nothing yet. @param of `country` for numbers without a calling code */
export async function enrollPhone(
  db: Database,
  of: { userId: string; friendlyName: string; phone: string; country?: string; client: string },
  now: Date,
): Promise<{ id: string; phone: string } | 'nameTaken' | 'phone' | 'tooMany' | 'unavailable'> {
  if (!canSendSms()) return 'unavailable';
  const phone = await phoneNumberOf(db, of.phone, of.country);
  if (phone === undefined) return 'phone';
  const { userId, friendlyName, client } = of;
  if (await isDayFull(db, { phone, userId, client, isVerified: false }, now)) return 'tooMany';
  const id = randomUUID();
  const phone_sealed = sealColumn('auth_factors', id, 'phone_sealed', phone);
  const factor = { id, user_id: userId, friendly_name: friendlyName, phone_sealed };
  const isNew = await begin(db, { ...factor, factor_type: 'phone' }, now);
  return isNew ? { id, phone } : 'nameTaken';
}

/** Sends a phone's code. @returns seconds to wait for the next message */
export async function startChallenge(
  db: Database,
  of: OfChallenge & { language: Language; client: string },
  now: Date,
) {
  const { userId, sessionId, language, client } = of;
  const factor = await findOwn(db, of);
  if (!factor || !(await touchSession(db, sessionId, now))) return undefined;
  const id = randomUUID();
  const expiresAt = addSeconds(now, CHALLENGE_S);
  const challenge = {
    id,
    factor_id: factor.id,
    session_id: sessionId,
    created_at: now.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
  const phone = phoneOf(factor);
  if (phone === undefined) {
    await insertChallenge(db, challenge);
  } else {
    if (!canSendSms()) return undefined;
    const isVerified = factor.status === 'verified';
    const wait = await smsLimit(db, { phone, userId, client, isVerified }, now);
    if (wait > 0) return { wait };
    const code_hash = await sendPhoneCode(db, { challengeId: id, phone, userId, language }, now);
    // Of the codes that the session had before, none is taken any more.
    const before = { factor_id: factor.id, session_id: sessionId };
    await rowsIn(db).delete('factor_challenges', before).execute();
    await insertChallenge(db, { ...challenge, code_hash });
  }
  return { id, type: factor.factor_type, expiresAt };
}

/** Once, also for two at the same moment. The caller counts the try (`recordAttempt`). */
export async function takeCode(
  db: Database,
  of: OfChallenge & { code: string; challengeId?: string },
  now: Date,
): Promise<'right' | 'wrong' | 'late'> {
  const factor = await findOwn(db, of);
  const code = plainCode(of.code);
  if (!factor || !isSixDigits(code)) return 'wrong';
  const { challengeId, sessionId } = of;
  // PostgreSQL refuses some texts that can be no id.
  if (challengeId !== undefined && !z.uuid().safeParse(challengeId).success) return 'late';
  const needsChallenge = challengeId !== undefined || factor.factor_type === 'phone';
  const asked = { factor_id: factor.id, session_id: sessionId };
  const challenge = needsChallenge
    ? await findOpenChallenge(db, { ...asked, ...(challengeId && { id: challengeId }) }, now)
    : undefined;
  const mayTry = challenge && (await countAttempt(db, challenge.id, PHONE_CODE.tries));
  if (needsChallenge && !mayTry) return 'late';
  const secret = secretOf(factor);
  if (secret !== undefined) {
    const step = await stepOfCode(secret, code, now);
    if (step === undefined || !(await moveStep(db, factor.id, step, now))) return 'wrong';
  } else if (!challenge || !isCodeSent(challenge.id, challenge.code_hash, code)) {
    return 'wrong';
  }
  if (challenge && !(await markChallengeUsed(db, challenge.id, now))) return 'late';
  return 'right';
}

/** Ends the sessions that have not seen a factor, and tells the owner. Idempotent. */
export async function confirmFactor(
  db: Database,
  { userId, factorId, keep }: OfFactor & { keep?: string },
  now: Date,
): Promise<void> {
  const factor = await findOwn(db, { userId, factorId });
  if (!factor || !(await markFactorVerified(db, userId, factorId, now))) return;
  // Otherwise the end of the wait would take this one off too.
  await cancelRemoval(db, userId, now);
  const others = keep === undefined ? {} : { except: keep };
  await deleteSessions(db, userId, { withoutFactor: true, ...others });
  await tell(db, factor, 'added', now);
}

/** With the last one that counts go the recovery codes. @returns false without such a factor */
export async function removeFactor(
  db: Database,
  { userId, factorId, by }: OfFactor & { by?: AuditActor },
  now: Date,
): Promise<boolean> {
  // Of two that go at once, the later one sees that it is the last.
  await lockUser(db, userId);
  const factor = await findOwn(db, { userId, factorId });
  if (!factor || !(await deleteFactors(db, { user_id: userId, id: factorId }))) return false;
  if (factor.status === 'unverified') return true;
  const left = await listFactorRows(db, userId);
  if (!left.some(({ status }) => status === 'verified')) await deleteRecoveryCodes(db, userId);
  await tell(db, factor, 'removed', now, by);
  return true;
}

async function tell(
  db: Database,
  { id, user_id, factor_type: factor }: FactorRow,
  what: 'added' | 'removed',
  now: Date,
  by?: AuditActor,
): Promise<void> {
  const user = await findUser(db, user_id);
  if (!user) return;
  await audit(db, by ?? user, `factor.${what}`, ['factor', id], now);
  await mailUser(db, user, what === 'added' ? 'factorAdded' : 'factorRemoved', now, { factor });
}

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

type CodeMessage = { phone: string; userId: string; client: string; isVerified: boolean };

async function isDayFull(db: Database, message: CodeMessage, now: Date): Promise<boolean> {
  for (const [key, { aDay }] of limitsOf(message)) {
    const sent = await findTries(db, key);
    if (sent && sent.freeAt > now && sent.tries >= aDay) return true;
  }
  return false;
}

async function smsLimit(db: Database, message: CodeMessage, now: Date): Promise<number> {
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

async function sendPhoneCode(
  db: Database,
  to: { challengeId: string; phone: string; userId: string; language: Language },
  now: Date,
): Promise<string> {
  const code = String(randomInt(10 ** PHONE_CODE.digits)).padStart(PHONE_CODE.digits, '0');
  const { phone, userId, language, challengeId } = to;
  await queueSms(db, { kind: 'phoneCode', to: phone, userId, language, parameters: { code } }, now);
  return hashesOf(challengeId, code)[0] ?? '';
}

function isCodeSent(challengeId: string, stored: string | null, code: string): boolean {
  if (stored === null) return false;
  const kept = Buffer.from(stored);
  return hashesOf(challengeId, code).some((hash) => {
    const given = Buffer.from(hash);
    return given.length === kept.length && timingSafeEqual(given, kept);
  });
}

/** With a key: a million codes are soon tried on a plain hash. */
const hashesOf = (challengeId: string, code: string): string[] =>
  keysFor('phone code').map((key) =>
    createHmac('sha256', key).update(`${challengeId} ${code}`).digest('base64url'),
  );
