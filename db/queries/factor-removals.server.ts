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

const removals = (db: Database) => db.selectFrom('factor_removals').selectAll().orderBy('due_at');

export async function findRemoval(db: Database, userId: string): Promise<RemovalRow | undefined> {
  return removals(db).where('user_id', '=', userId).executeTakeFirst();
}

/** The requests whose wait has ended. */
export async function listDueRemovals(db: Database, now: Date): Promise<RemovalRow[]> {
  return removals(db).where('due_at', '<=', now.toISOString()).execute();
}

/** The requests that go on, whose owner was told for the last time before an instant or at it. */
export async function listRemovalsToTell(
  db: Database,
  { now, toldUntil }: { now: Date; toldUntil: Date },
): Promise<RemovalRow[]> {
  return removals(db)
    .where('due_at', '>', now.toISOString())
    .where('noticed_at', '<=', toldUntil.toISOString())
    .execute();
}

/** Notes that its owner is told. @returns false if somebody else has noted it since the row was read */
export async function noteTold(
  db: Database,
  { id, noticed_at }: RemovalRow,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('factor_removals')
    .set({ noticed_at: at.toISOString() })
    .where((eb) => eb.and({ id, noticed_at }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes an account's request. @returns whether there was one until now */
export async function deleteRemoval(
  db: Database,
  of: { user_id: string; id?: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('factor_removals')
    .where((eb) => eb.and(of))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
