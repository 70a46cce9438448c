import type { Insertable } from 'kysely';

import type { Database, Schema } from '../schema';
import { hasChanged, rowsIn } from './rows.server';

type NewChallenge = Insertable<Schema['factor_challenges']> & { session_id: string };

/** Adds a challenge; of those that the session had before, none is taken any more. */
export async function replaceChallenge(db: Database, challenge: NewChallenge): Promise<void> {
  const { factor_id, session_id } = challenge;
  await rowsIn(db).delete('factor_challenges', { factor_id, session_id }).execute();
  await insertChallenge(db, challenge);
}

/** Adds a challenge beside those that are open, and deletes those whose time has ended. */
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

/** Uses a challenge up. @returns false if it was used before */
export const markChallengeUsed = (db: Database, id: string, now: Date) =>
  hasChanged(
    rowsIn(db).update('factor_challenges', { id, used_at: null }, { used_at: now.toISOString() }),
  );
