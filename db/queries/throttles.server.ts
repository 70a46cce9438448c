import type { Tries } from '~/domain/accounts';
import type { Database } from '../schema';
import { AT_ONCE } from './at-once.server';

export async function findTries(db: Database, key: string): Promise<Tries | undefined> {
  const row = await db
    .selectFrom('throttles')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirst();
  if (!row) return undefined;
  const { tries, free_at, updated_at } = row;
  return { tries, freeAt: new Date(free_at), updatedAt: new Date(updated_at) };
}

/** Replaces what is remembered. @returns false if somebody else has done so since `before` was read */
export async function replaceTries(
  db: Database,
  key: string,
  before: Tries | undefined,
  { tries, freeAt, updatedAt }: Tries,
): Promise<boolean> {
  const row = { tries, free_at: freeAt.toISOString(), updated_at: updatedAt.toISOString() };
  if (!before) {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('throttles')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }
  const known = { key, tries: before.tries, updated_at: before.updatedAt.toISOString() };
  const { numUpdatedRows } = await db
    .updateTable('throttles')
    .set(row)
    .where((eb) => eb.and(known))
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
