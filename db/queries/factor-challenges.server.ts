import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

export type ChallengeRow = Selectable<Schema['factor_challenges']>;

type NewChallenge = Insertable<Schema['factor_challenges']> & { session_id: string };

/** Adds a challenge; of those that the session had before, none is taken any more. */
export async function replaceChallenge(db: Database, challenge: NewChallenge): Promise<void> {
  await db
    .deleteFrom('factor_challenges')
    .where('factor_id', '=', challenge.factor_id)
    .where('session_id', '=', challenge.session_id)
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
  { factorId, sessionId, id }: { factorId: string; sessionId: string; id?: string | undefined },
  now: Date,
): Promise<ChallengeRow | undefined> {
  let open = db
    .selectFrom('factor_challenges')
    .selectAll()
    .where('factor_id', '=', factorId)
    .where('session_id', '=', sessionId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString());
  if (id !== undefined) open = open.where('id', '=', id);
  return open.orderBy('created_at', 'desc').executeTakeFirst();
}

/** Counts a try of a code. @returns false if it has had as many as it may: of many at once, those that are free */
export async function countAttempt(db: Database, id: string, most: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('factor_challenges')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('attempts', '<', most)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Uses a challenge up. @returns whether it was open until now: of two at once, one has it */
export async function markChallengeUsed(db: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('factor_challenges')
    .set({ used_at: now.toISOString() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
