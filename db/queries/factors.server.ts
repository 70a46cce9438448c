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
  user_id: string,
  { name, before }: { name: string; before: Date },
): Promise<void> {
  await db
    .deleteFrom('auth_factors')
    .where((eb) => eb.and({ user_id, status: 'unverified' }))
    .where((eb) =>
      eb.or([eb('friendly_name', '=', name), eb('created_at', '<', before.toISOString())]),
    )
    .execute();
}

/**
 * Moves the step of the latest code that was taken forward (RFC 6238, 5.2).
 *
 * @returns false if a code of this step or of a later one was taken before
 */
export async function moveStep(db: Database, id: string, step: number, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('auth_factors')
    .set({ last_step: step, updated_at: now.toISOString() })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets a factor count. @returns false if it did so before, or is not there */
export async function markFactorVerified(db: Database, user_id: string, id: string, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('auth_factors')
    .set({ status: 'verified', updated_at: now.toISOString() })
    .where((eb) => eb.and({ user_id, id, status: 'unverified' }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes factors of an account with their challenges: one, or all. @returns whether there was one */
export async function deleteFactors(
  db: Database,
  of: { user_id: string; id?: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('auth_factors')
    .where((eb) => eb.and(of))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
