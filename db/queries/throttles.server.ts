import type { Tries } from '~/domain/accounts';
import type { Database } from '../schema';
import { AT_ONCE } from './at-once.server';

export async function findTries(db: Database, key: string): Promise<Tries | undefined> {
  const row = await db
    .selectFrom('throttles')
    .select(['tries', 'free_at', 'updated_at'])
    .where('key', '=', key)
    .executeTakeFirst();
  return (
    row && {
      tries: row.tries,
      freeAt: new Date(row.free_at),
      updatedAt: new Date(row.updated_at),
    }
  );
}

/**
 * Replaces what is remembered, unless somebody else has done so since `before` was read.
 *
 * @returns whether it was replaced
 */
export async function replaceTries(
  db: Database,
  key: string,
  before: Tries | undefined,
  after: Tries,
): Promise<boolean> {
  const row = {
    tries: after.tries,
    free_at: after.freeAt.toISOString(),
    updated_at: after.updatedAt.toISOString(),
  };
  if (!before) {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('throttles')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }
  const { numUpdatedRows } = await db
    .updateTable('throttles')
    .set(row)
    .where('key', '=', key)
    .where('tries', '=', before.tries)
    .where('updated_at', '=', before.updatedAt.toISOString())
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteTries(db: Database, key: string): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', key).execute();
}

export async function takeBackTry(db: Database, key: string, now: Date): Promise<void> {
  await db
    .updateTable('throttles')
    .set(({ eb }) => ({ tries: eb('tries', '-', 1), free_at: now.toISOString() }))
    .where('key', '=', key)
    .where('tries', '>', 0)
    .execute();
}

/** Forgets the tries of some of whom nothing was heard since an instant; returns of how many. */
export async function deleteTriesBefore(db: Database, instant: Date): Promise<number> {
  const silent = db
    .selectFrom('throttles')
    .select('key')
    .where('updated_at', '<', instant.toISOString())
    .limit(AT_ONCE);
  const { numDeletedRows } = await db
    .deleteFrom('throttles')
    .where('key', 'in', silent)
    // Who tries once more at this moment is not forgotten.
    .where('updated_at', '<', instant.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}
