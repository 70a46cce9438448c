import { plainRecoveryCode } from '~/domain/factors';
import type { Database } from '~db/schema';
import { listFactorRows } from '~db/queries/factors.server';
import { takeCode, takeRecoveryCode } from './factors.server';
import type { Method } from './session.server';

/** By what somebody may come to the second level. */
export type CodeMethod = Extract<Method['method'], 'totp' | 'phone' | 'recovery'>;

/**
 * Takes a code as it was typed, whichever of the account's factors it is of, or a recovery code. Who
 * calls it counts the try (`countTry`).
 *
 * @param of `sessionId`: a code that was sent is taken from the session that asked for it alone
 * @returns the method; `late`: there are phones only, and their code has ended or was never sent
 */
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
