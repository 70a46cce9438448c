import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';

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

/** The session of a token's hash, whether it has ended or not. */
export async function findSession(
  db: Database,
  tokenHash: string,
): Promise<SessionOfUser | undefined> {
  return sessionWhere(db, 'token_hash', tokenHash);
}

export async function findSessionById(
  db: Database,
  id: string,
): Promise<SessionOfUser | undefined> {
  return sessionWhere(db, 'id', id);
}

async function sessionWhere(db: Database, column: 'id' | 'token_hash', value: string) {
  const session = await db
    .selectFrom('sessions')
    .selectAll()
    .where(column, '=', value)
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

/** Whether an account has a second factor that counts. */
export async function hasVerifiedFactor(db: Database, userId: string): Promise<boolean> {
  const factor = await db
    .selectFrom('auth_factors')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'verified')
    .executeTakeFirst();
  return factor !== undefined;
}

/** An account's sessions, the one used last first. */
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
 * Notes that a session is used.
 *
 * @returns whether it is there; it then stays until the end of the transaction
 */
export async function touchSession(db: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ last_seen_at: now.toISOString() })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Gives a session of a browser another token, unless that has been done since.
 *
 * @param amr JSON, as in the table
 * @returns whether it was given: of two at once, one
 */
export async function replaceTokenHash(
  db: Database,
  id: string,
  hashes: { from: string; to: string },
  amr: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ token_hash: hashes.to, amr })
    .where('id', '=', id)
    .where('token_hash', '=', hashes.from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Gives a program's session its next refresh token, unless somebody else has done so since.
 *
 * @returns whether it was given: of two at once, one
 */
export async function rotateRefreshHash(
  db: Database,
  id: string,
  hashes: { from: string; to: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({
      refresh_hash: hashes.to,
      previous_refresh_hash: hashes.from,
      rotated_at: now.toISOString(),
      last_seen_at: now.toISOString(),
    })
    .where('id', '=', id)
    .where('refresh_hash', '=', hashes.from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Raises a program's session to the second level, with a refresh token of its own.
 *
 * @param amr JSON, as in the table
 * @returns whether the session is still there
 */
export async function raiseSession(
  db: Database,
  id: string,
  { refreshHash, amr }: { refreshHash: string; amr: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set((row) => ({
      aal: 2 as const,
      amr,
      previous_refresh_hash: row.ref('refresh_hash'),
      refresh_hash: refreshHash,
      rotated_at: now.toISOString(),
      last_seen_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends one session of an account. */
export async function deleteSession(db: Database, userId: string, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).execute();
}

/** Ends the session of a token's hash. */
export async function deleteSessionByToken(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/**
 * Ends an account's sessions.
 *
 * @param which `except` one of them; `withoutFactor`: only those that are not at the second level
 */
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

/** Ends everybody's sessions; returns how many there were. */
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
