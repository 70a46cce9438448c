import { sql, type UpdateObject } from 'kysely';

import type { Database, Schema } from '../schema';
import { hasChanged, howMany, isThere, type Row, rowsIn } from './rows.server';
import type { Tries } from '~/domain/accounts';

export type SessionRow = Row<'sessions'>;

export interface SessionOfUser extends SessionRow {
  user: Omit<Row<'users'>, 'password_hash'>;
  hasFactor: boolean;
}

export async function findSession(db: Database, by: { id: string } | { token_hash: string }) {
  const session = await rowsIn(db).find('sessions', by);
  if (!session) return undefined;
  const { user_id: id } = session;
  const factor = verifiedFactors(db, id).clearSelect().select('id').limit(1);
  const user = await rowsIn(db).of('users', { id }).select(factor.as('factor')).executeTakeFirst();
  if (!user) return undefined;
  const { password_hash: _, factor: found, ...known } = user;
  return { ...session, user: known, hasFactor: found !== null };
}

const verifiedFactors = (db: Database, user_id: string) =>
  rowsIn(db).of('auth_factors', { user_id, status: 'verified' });

export const hasVerifiedFactor = (db: Database, userId: string) =>
  isThere(verifiedFactors(db, userId));

export const listSessions = (db: Database, user_id: string) =>
  rowsIn(db).of('sessions', { user_id }).orderBy('last_seen_at', 'desc').execute();

/** It then stays until the end of the transaction: of two at once, one changes it. */
export function changeSession(
  db: Database,
  known: { id: string; token_hash?: string; refresh_hash?: string },
  changes: UpdateObject<Schema, 'sessions'>,
) {
  const changed = db.updateTable('sessions').set(changes);
  return hasChanged(changed.where((eb) => eb.and(known)));
}

export const touchSession = (db: Database, id: string, now: Date) =>
  changeSession(db, { id }, { last_seen_at: now.toISOString() });

export async function rotateRefreshHash(
  db: Database,
  known: { id: string; refresh_hash?: string },
  changes: { refresh_hash: string; aal?: 2; amr?: string },
  now: Date,
): Promise<boolean> {
  const [rotated_at, last_seen_at] = [now.toISOString(), now.toISOString()];
  const before = { previous_refresh_hash: sql.ref<string | null>('refresh_hash') };
  return changeSession(db, known, { ...changes, ...before, rotated_at, last_seen_at });
}

export const deleteSession = (
  db: Database,
  by: { user_id: string; id: string } | { token_hash: string },
) => rowsIn(db).delete('sessions', by).execute();

export async function deleteSessions(
  db: Database,
  userId: string,
  which: { except?: string; withoutFactor?: true } = {},
): Promise<void> {
  const known = { user_id: userId, ...(which.withoutFactor && { aal: 1 as const }) };
  let ended = rowsIn(db).delete('sessions', known);
  if (which.except !== undefined) ended = ended.where('id', '<>', which.except);
  await ended.execute();
}

export const deleteAllSessions = (db: Database) => howMany(db.deleteFrom('sessions'));

export const deleteSessionsBefore = (
  db: Database,
  limits: { now: Date; idleTraveller: Date; idleStaff: Date },
) =>
  rowsIn(db).deleteSome('sessions', 'id', (where) => {
    const staff = db.selectFrom('users').select('id').where('kind', '=', 'staff');
    const isIdle = where('last_seen_at', '<', limits.idleStaff.toISOString());
    return where('expires_at', '<=', limits.now.toISOString())
      .or('last_seen_at', '<', limits.idleTraveller.toISOString())
      .or(isIdle.and('user_id', 'in', staff));
  });

export async function findTries(db: Database, key: string): Promise<Tries | undefined> {
  const row = await rowsIn(db).find('throttles', { key });
  if (!row) return undefined;
  const { tries, free_at, updated_at } = row;
  return { tries, freeAt: new Date(free_at), updatedAt: new Date(updated_at) };
}

/** @returns false if somebody else has done so since `before` was read */
export function replaceTries(
  db: Database,
  key: string,
  before: Tries | undefined,
  { tries, freeAt, updatedAt }: Tries,
): Promise<boolean> {
  const row = { tries, free_at: freeAt.toISOString(), updated_at: updatedAt.toISOString() };
  if (!before) return rowsIn(db).insertNew('throttles', { key, ...row });
  const known = { key, tries: before.tries, updated_at: before.updatedAt.toISOString() };
  return hasChanged(rowsIn(db).update('throttles', known, row));
}

export const takeBackTry = (db: Database, key: string, now: Date) =>
  db
    .updateTable('throttles')
    .set(({ eb }) => ({ tries: eb('tries', '-', 1), free_at: now.toISOString() }))
    .where('key', '=', key)
    .where('tries', '>', 0)
    .execute();
