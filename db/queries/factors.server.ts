import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

export type FactorRow = Selectable<Schema['auth_factors']>;

/** An account's factors, the oldest first. */
export async function listFactorRows(db: Database, userId: string): Promise<FactorRow[]> {
  return db
    .selectFrom('auth_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** A factor of an account; undefined if it has none with this id. */
export async function findFactor(
  db: Database,
  userId: string,
  id: string,
): Promise<FactorRow | undefined> {
  return db
    .selectFrom('auth_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Adds a factor. @returns false if the account has one of this name */
export async function insertFactor(
  db: Database,
  factor: Insertable<Schema['auth_factors']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('auth_factors')
    .values(factor)
    .onConflict((conflict) => conflict.columns(['user_id', 'friendly_name']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Deletes the factors of an account that were begun and not finished: of a name, or before an instant. */
export async function deleteUnfinishedFactors(
  db: Database,
  userId: string,
  which: { name: string; before: Date },
): Promise<void> {
  await db
    .deleteFrom('auth_factors')
    .where('user_id', '=', userId)
    .where('status', '=', 'unverified')
    .where((where) =>
      where.or([
        where('friendly_name', '=', which.name),
        where('created_at', '<', which.before.toISOString()),
      ]),
    )
    .execute();
}

/**
 * Moves the step of the latest code that was taken forward (RFC 6238, 5.2).
 *
 * @returns false if a code of this step or of a later one was taken before: of two at once, one moves it
 */
export async function moveStep(
  db: Database,
  userId: string,
  id: string,
  step: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('auth_factors')
    .set({ last_step: step, updated_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets a factor count. @returns false if it did so before, or is not there */
export async function markFactorVerified(
  db: Database,
  userId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('auth_factors')
    .set({ status: 'verified', updated_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('status', '=', 'unverified')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a factor and its challenges. @returns whether it was there */
export async function deleteFactor(db: Database, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('auth_factors')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes all factors of an account; returns how many there were. */
export async function deleteFactors(db: Database, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('auth_factors')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
