import { randomBytes } from 'node:crypto';

import { plainRecoveryCode, RECOVERY_CODES, recoveryCodeOf } from '~/domain/factors';
import type { Database } from '~db/schema';
import {
  countRecoveryCodes,
  markRecoveryCodeUsed,
  replaceRecoveryCodes,
} from '~db/queries/recovery-codes.server';
import { findUser, lockUser } from '~db/queries/users.server';
import { audit } from './audit.server';
import { hashOfToken } from './tokens.server';

/**
 * Ten new recovery codes instead of those that the account had. Only their hashes are stored: they are
 * shown once.
 */
export async function makeRecoveryCodes(
  db: Database,
  userId: string,
  now: Date,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES.count }, () =>
    recoveryCodeOf(randomBytes(RECOVERY_CODES.bytes)),
  );
  const hashes = codes.map((code) => hashOfToken(plainRecoveryCode(code) ?? code));
  // Of two at once, the second finds the codes of the first, and replaces them.
  await lockUser(db, userId);
  const user = await findUser(db, userId);
  if (!user) return [];
  await replaceRecoveryCodes(db, userId, hashes, now);
  await audit(db, { kind: user.kind, id: userId }, 'recovery_codes.made', ['user', userId], now);
  return codes;
}

/** Takes a recovery code as it was typed: once, also for two at the same moment. */
export async function takeRecoveryCode(
  db: Database,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const plain = plainRecoveryCode(code);
  if (plain === undefined) return false;
  if (!(await markRecoveryCodeUsed(db, userId, hashOfToken(plain), now))) return false;
  const user = await findUser(db, userId);
  await audit(
    db,
    { kind: user?.kind ?? 'anybody', id: userId },
    'recovery_code.used',
    ['user', userId],
    now,
  );
  return true;
}

export async function recoveryCodesLeft(db: Database, userId: string): Promise<number> {
  return countRecoveryCodes(db, userId);
}
