import type { Insertable } from 'kysely';

import type { Database, Schema } from '../schema';

type NewChallenge = Insertable<Schema['factor_challenges']> & { session_id: string };

/** Adds a challenge; of those that the session had before, none is taken any more. */
export async function replaceChallenge(db: Database, challenge: NewChallenge): Promise<void> {
  const { factor_id, session_id } = challenge;
  await db
    .deleteFrom('factor_challenges')
    .where((eb) => eb.and({ factor_id, session_id }))
    .execute();
  await insertChallenge(db, challenge);
}

/** Adds a challenge beside those that are open, and deletes those whose time has ended. */
export async function insertChallenge(db: Database, challenge: NewChallenge): Promise<void> {
  await db
    .deleteFrom('factor_challenges')
    .where('factor_id', '=', challenge.factor_id)
    .where('expires_at', '<=', challenge.created_at)
    .execute();
  await db.insertInto('factor_challenges').values(challenge).execute();
}

/** A session's open challenge with an id, or its latest of a factor. */
export async function findOpenChallenge(
  db: Database,
  of: { factor_id: string; session_id: string; id?: string },
  now: Date,
) {
  return db
    .selectFrom('factor_challenges')
    .selectAll()
    .where((eb) => eb.and({ ...of, used_at: null }))
    .where('expires_at', '>', now.toISOString())
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

/** Counts a try of a code. @returns false if it has had as many as it may */
export async function countAttempt(db: Database, id: string, most: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('factor_challenges')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where((eb) => eb.and({ id, used_at: null }))
    .where('attempts', '<', most)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Uses a challenge up. @returns false if it was used before */
export async function markChallengeUsed(db: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('factor_challenges')
    .set({ used_at: now.toISOString() })
    .where((eb) => eb.and({ id, used_at: null }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
