import type { Tries } from '~/domain/accounts';
import type { Database } from '../schema';
import { hasChanged, rowsIn } from './rows.server';

export async function findTries(db: Database, key: string): Promise<Tries | undefined> {
  const row = await rowsIn(db).find('throttles', { key });
  if (!row) return undefined;
  const { tries, free_at, updated_at } = row;
  return { tries, freeAt: new Date(free_at), updatedAt: new Date(updated_at) };
}

/** Replaces what is remembered. @returns false if somebody else has done so since `before` was read */
export function replaceTries(
  db: Database,
  key: string,
  before: Tries | undefined,
  { tries, freeAt, updatedAt }: Tries,
): Promise<boolean> {
  const row = { tries, free_at: freeAt.toISOString(), updated_at: updatedAt.toISOString() };
  if (!before) return rowsIn(db).insertNew('throttles', { key, ...row });
  const known = { key, tries: before.tries, updated_at: before.updatedAt.toISOString() };
  return hasChanged(rowsIn(db).update('throttles', known, row));
}

export const takeBackTry = (db: Database, key: string, now: Date) =>
  db
    .updateTable('throttles')
    .set(({ eb }) => ({ tries: eb('tries', '-', 1), free_at: now.toISOString() }))
    .where('key', '=', key)
    .where('tries', '>', 0)
    .execute();

/** Forgets the tries of some of whom nothing was heard since an instant; returns of how many. */
export const deleteTriesBefore = (db: Database, instant: Date) =>
  rowsIn(db).deleteSome('throttles', 'key', (where) =>
    where('updated_at', '<', instant.toISOString()),
  );
