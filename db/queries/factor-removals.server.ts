import type { Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

export type RemovalRow = Selectable<Schema['factor_removals']>;

/** Adds a request. @returns false if the account has one: its wait goes on */
export async function insertRemoval(db: Database, removal: RemovalRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('factor_removals')
    .values(removal)
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The request of an account. */
export async function findRemoval(db: Database, userId: string): Promise<RemovalRow | undefined> {
  return db
    .selectFrom('factor_removals')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** The requests whose wait has ended, the earliest first. */
export async function listDueRemovals(db: Database, now: Date): Promise<RemovalRow[]> {
  return db
    .selectFrom('factor_removals')
    .selectAll()
    .where('due_at', '<=', now.toISOString())
    .orderBy('due_at')
    .execute();
}

/** The requests that go on, whose owner was told for the last time before an instant or at it. */
export async function listRemovalsToTell(
  db: Database,
  { now, toldUntil }: { now: Date; toldUntil: Date },
): Promise<RemovalRow[]> {
  return db
    .selectFrom('factor_removals')
    .selectAll()
    .where('due_at', '>', now.toISOString())
    .where('noticed_at', '<=', toldUntil.toISOString())
    .orderBy('due_at')
    .execute();
}

/** Notes that its owner is told. @returns false if somebody else has noted it since `row` was read */
export async function noteTold(db: Database, row: RemovalRow, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('factor_removals')
    .set({ noticed_at: at.toISOString() })
    .where('id', '=', row.id)
    .where('noticed_at', '=', row.noticed_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes an account's request. @returns whether there was one until now: of two at once, one deletes it */
export async function deleteRemoval(
  db: Database,
  of: { userId: string; id?: string },
): Promise<boolean> {
  let deleted = db.deleteFrom('factor_removals').where('user_id', '=', of.userId);
  if (of.id !== undefined) deleted = deleted.where('id', '=', of.id);
  const { numDeletedRows } = await deleted.executeTakeFirst();
  return numDeletedRows > 0n;
}
