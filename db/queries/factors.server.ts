import type { Insertable } from 'kysely';

import type { Database, Schema } from '../schema';
import { hasChanged, type Row, rowsIn } from './rows.server';

export type FactorRow = Row<'auth_factors'>;

export const listFactorRows = (db: Database, user_id: string) =>
  rowsIn(db).of('auth_factors', { user_id }).orderBy('created_at').orderBy('id').execute();

export const deleteUnfinishedFactors = (
  db: Database,
  user_id: string,
  { name, before }: { name: string; before: Date },
) =>
  rowsIn(db)
    .delete('auth_factors', { user_id, status: 'unverified' })
    .where((eb) => eb('friendly_name', '=', name).or('created_at', '<', before.toISOString()))
    .execute();

/** RFC 6238, 5.2. @returns false if a code of this step or of a later one was taken before */
export const moveStep = (db: Database, id: string, step: number, now: Date) =>
  hasChanged(
    rowsIn(db)
      .update('auth_factors', { id }, { last_step: step, updated_at: now.toISOString() })
      .where((eb) => eb('last_step', 'is', null).or('last_step', '<', step)),
  );

/** Lets a factor count. @returns false if it did so before, or is not there */
export function markFactorVerified(db: Database, user_id: string, id: string, now: Date) {
  const known = { user_id, id, status: 'unverified' } as const;
  const changes = { status: 'verified', updated_at: now.toISOString() } as const;
  return hasChanged(rowsIn(db).update('auth_factors', known, changes));
}

export const deleteFactors = (db: Database, of: { user_id: string; id?: string }) =>
  hasChanged(rowsIn(db).delete('auth_factors', of));

type NewChallenge = Insertable<Schema['factor_challenges']> & { session_id: string };

export async function insertChallenge(db: Database, challenge: NewChallenge): Promise<void> {
  const { factor_id, created_at } = challenge;
  await rowsIn(db)
    .delete('factor_challenges', { factor_id })
    .where('expires_at', '<=', created_at)
    .execute();
  await rowsIn(db).insert('factor_challenges', challenge);
}

/** A session's open challenge with an id, or its latest of a factor. */
export const findOpenChallenge = (
  db: Database,
  of: { factor_id: string; session_id: string; id?: string },
  now: Date,
) =>
  rowsIn(db)
    .of('factor_challenges', { ...of, used_at: null })
    .where('expires_at', '>', now.toISOString())
    .orderBy('created_at', 'desc')
    .executeTakeFirst();

/** Counts a try of a code. @returns false if it has had as many as it may */
export const countAttempt = (db: Database, id: string, most: number) =>
  hasChanged(
    db
      .updateTable('factor_challenges')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
      .where((eb) => eb.and({ id, used_at: null }))
      .where('attempts', '<', most),
  );

export const markChallengeUsed = (db: Database, id: string, now: Date) =>
  hasChanged(
    rowsIn(db).update('factor_challenges', { id, used_at: null }, { used_at: now.toISOString() }),
  );

export type RemovalRow = Row<'factor_removals'>;

export const findRemoval = (db: Database, user_id: string) =>
  rowsIn(db).find('factor_removals', { user_id });

const inTurn = (db: Database) => rowsIn(db).of('factor_removals').orderBy('due_at');

export const listDueRemovals = (db: Database, now: Date) =>
  inTurn(db).where('due_at', '<=', now.toISOString()).execute();

export const listRemovalsToTell = (db: Database, of: { now: Date; toldUntil: Date }) =>
  inTurn(db)
    .where('due_at', '>', of.now.toISOString())
    .where('noticed_at', '<=', of.toldUntil.toISOString())
    .execute();

/** @returns false if somebody else has noted it since the row was read */
export const noteRemovalNotified = (db: Database, { id, noticed_at }: RemovalRow, at: Date) =>
  hasChanged(
    rowsIn(db).update('factor_removals', { id, noticed_at }, { noticed_at: at.toISOString() }),
  );

export const deleteRemoval = (db: Database, of: { user_id: string; id?: string }) =>
  hasChanged(rowsIn(db).delete('factor_removals', of));

export async function replaceRecoveryCodes(
  db: Database,
  user_id: string,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await deleteRecoveryCodes(db, user_id);
  const created_at = now.toISOString();
  const rows = hashes.map((code_hash) => ({ code_hash, user_id, created_at }));
  await db.insertInto('recovery_codes').values(rows).execute();
}

export function markRecoveryCodeUsed(db: Database, user_id: string, code_hash: string, now: Date) {
  const unused = { user_id, code_hash, used_at: null };
  return hasChanged(rowsIn(db).update('recovery_codes', unused, { used_at: now.toISOString() }));
}

export const recoveryCodesLeft = async (db: Database, user_id: string) =>
  (await rowsIn(db).of('recovery_codes', { user_id, used_at: null }).execute()).length;

export const deleteRecoveryCodes = (db: Database, user_id: string) =>
  rowsIn(db).delete('recovery_codes', { user_id }).execute();
