import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type UpdateObject,
} from 'kysely';

import type { Database, Schema } from '../schema';
import { AT_ONCE } from './at-once.server';

export type SessionRow = Selectable<Schema['sessions']>;

/** A session with its account, and whether that has a verified second factor. */
export interface SessionOfUser extends SessionRow {
  user: Omit<Selectable<Schema['users']>, 'password_hash'>;
  hasFactor: boolean;
}

export async function insertSession(
  db: Database,
  session: Insertable<Schema['sessions']>,
): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** A session by its id or its token's hash, whether it has ended or not. */
export async function findSession(
  db: Database,
  by: { id: string } | { token_hash: string },
): Promise<SessionOfUser | undefined> {
  const session = await db
    .selectFrom('sessions')
    .selectAll()
    .where((eb) => eb.and(by))
    .executeTakeFirst();
  if (!session) return undefined;
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', session.user_id)
    .executeTakeFirst();
  if (!user) return undefined;
  const { password_hash: _, ...known } = user;
  return { ...session, user: known, hasFactor: await hasVerifiedFactor(db, user.id) };
}

export async function hasVerifiedFactor(db: Database, user_id: string): Promise<boolean> {
  const factor = await db
    .selectFrom('auth_factors')
    .select('id')
    .where((eb) => eb.and({ user_id, status: 'verified' }))
    .executeTakeFirst();
  return factor !== undefined;
}

export async function listSessions(db: Database, userId: string): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .execute();
}

/** What is kept of a session's searches, sealed; null if there is none. */
export async function findSearches(db: Database, id: string): Promise<string | null> {
  const session = await db
    .selectFrom('sessions')
    .select('searches_sealed')
    .where('id', '=', id)
    .executeTakeFirst();
  return session?.searches_sealed ?? null;
}

export async function replaceSearches(db: Database, id: string, sealed: string): Promise<void> {
  await db.updateTable('sessions').set({ searches_sealed: sealed }).where('id', '=', id).execute();
}

/**
 * Changes a session, if it still has the hash that is named; it then stays until the end of the
 * transaction. @returns whether it was there: of two that name the same hash at once, one changes it
 */
export async function changeSession(
  db: Database,
  known: { id: string; token_hash?: string; refresh_hash?: string },
  changes: UpdateObject<Schema, 'sessions'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set(changes)
    .where((eb) => eb.and(known))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function touchSession(db: Database, id: string, now: Date): Promise<boolean> {
  return changeSession(db, { id }, { last_seen_at: now.toISOString() });
}

/** Gives a program's session another refresh token, and remembers the one before it. */
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

/** Ends a session: of an account, or by its token's hash. */
export async function deleteSession(
  db: Database,
  by: { user_id: string; id: string } | { token_hash: string },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.and(by))
    .execute();
}

/** `withoutFactor`: only those that are not at the second level. */
export async function deleteSessions(
  db: Database,
  userId: string,
  which: { except?: string; withoutFactor?: true } = {},
): Promise<void> {
  let ended = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (which.except !== undefined) ended = ended.where('id', '<>', which.except);
  if (which.withoutFactor) ended = ended.where('aal', '=', 1);
  await ended.execute();
}

export async function deleteAllSessions(db: Database): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes some of the sessions that ended before an instant; returns how many. */
export async function deleteSessionsBefore(
  db: Database,
  limits: { now: Date; idleTraveller: Date; idleStaff: Date },
): Promise<number> {
  const hasEnded = (where: ExpressionBuilder<Schema, 'sessions'>) =>
    where.or([
      where('expires_at', '<=', limits.now.toISOString()),
      where('last_seen_at', '<', limits.idleTraveller.toISOString()),
      where.and([
        where('last_seen_at', '<', limits.idleStaff.toISOString()),
        where('user_id', 'in', db.selectFrom('users').select('id').where('kind', '=', 'staff')),
      ]),
    ]);
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', 'in', db.selectFrom('sessions').select('id').where(hasEnded).limit(AT_ONCE))
    // One that is used at this moment stays.
    .where(hasEnded)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
