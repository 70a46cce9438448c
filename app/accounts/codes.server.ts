import { randomBytes } from 'node:crypto';

import { plainRecoveryCode, RECOVERY_CODES, recoveryCodeOf } from '~/domain/factors';
import type { Database } from '~db/schema';
import {
  listFactorRows,
  markRecoveryCodeUsed,
  replaceRecoveryCodes,
} from '~db/queries/factors.server';
import { findUser, lockUser } from '~db/queries/users.server';
import { ANYBODY, audit } from './audit.server';
import { cancelRemoval } from './factor-removal.server';
import { takeCode } from './factors.server';
import type { Method, SignedIn } from './session.server';
import { clearAttempts, type RateLimitKey, recordAttempt } from './throttle.server';
import { hashOfToken } from './tokens.server';

export type CodeMethod = Extract<Method['method'], 'totp' | 'phone' | 'recovery'>;

export const codeKey = (
  { kind, email }: SignedIn['user'],
  client: string,
  known: string | undefined,
): RateLimitKey => ({ what: 'code', kind, client, email, known });

/** Who calls it holds the account (`lockUser`). @returns `wait`: seconds, and this try was not made */
export async function tryAnyCode(
  db: Database,
  { user, sessionId }: SignedIn,
  code: string,
  key: RateLimitKey,
  now: Date,
): Promise<{ method: CodeMethod } | 'wrong' | 'late' | { wait: number }> {
  const wait = await recordAttempt(db, key, now);
  if (wait > 0) return { wait };
  const taken = await takeAnyCode(db, { userId: user.id, sessionId, code }, now);
  if (typeof taken === 'string') {
    await audit(db, ANYBODY, 'session.refused', ['user', user.id], now);
    return taken;
  }
  await clearAttempts(db, key, now);
  await cancelRemoval(db, user.id, now);
  return taken;
}

/** `late`: there are phones only, and their code has ended or was never sent. */
export async function takeAnyCode(
  db: Database,
  { userId, sessionId, code }: { userId: string; sessionId: string; code: string },
  now: Date,
): Promise<{ method: CodeMethod } | 'wrong' | 'late'> {
  if (plainRecoveryCode(code) !== undefined) {
    const isTaken = await takeRecoveryCode(db, userId, code, now);
    return isTaken ? { method: 'recovery' } : 'wrong';
  }
  const factors = (await listFactorRows(db, userId)).filter(({ status }) => status === 'verified');
  // An authenticator first: a code that is its own costs no try of a message's.
  factors.sort((a, b) => Number(a.factor_type === 'phone') - Number(b.factor_type === 'phone'));
  let isLate = factors.length > 0;
  for (const { id, factor_type } of factors) {
    const taken = await takeCode(db, { userId, sessionId, factorId: id, code }, now);
    if (taken === 'right') return { method: factor_type };
    isLate &&= taken === 'late';
  }
  return isLate ? 'late' : 'wrong';
}

export async function makeRecoveryCodes(db: Database, userId: string, now: Date) {
  const codes = Array.from({ length: RECOVERY_CODES.count }, () =>
    recoveryCodeOf(randomBytes(RECOVERY_CODES.bytes)),
  );
  const hashes = codes.map((code) => hashOfToken(plainRecoveryCode(code) ?? code));
  // Of two at once, the second finds the codes of the first, and replaces them.
  await lockUser(db, userId);
  const user = await findUser(db, userId);
  if (!user) return [];
  await replaceRecoveryCodes(db, userId, hashes, now);
  await audit(db, user, 'recovery_codes.made', ['user', userId], now);
  return codes;
}

/** Once, also for two at the same moment. */
export async function takeRecoveryCode(db: Database, userId: string, code: string, now: Date) {
  const plain = plainRecoveryCode(code);
  if (plain === undefined) return false;
  if (!(await markRecoveryCodeUsed(db, userId, hashOfToken(plain), now))) return false;
  const by = { kind: (await findUser(db, userId))?.kind ?? 'anybody', id: userId } as const;
  await audit(db, by, 'recovery_code.used', ['user', userId], now);
  return true;
}
