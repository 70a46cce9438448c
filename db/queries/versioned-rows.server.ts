import type { Updateable } from 'kysely';

import type { Database, Schema } from '../schema';

type Table = 'applications' | 'orders' | 'refunds';

/** What a move changes: the state, and whatever else comes with it. */
export type Move<T extends Table> = Omit<Updateable<Schema[T]>, 'id' | 'version'> &
  Pick<Schema[T], 'state'>;

/**
 * Moves a row from the state and version that were read: of many at the same moment, one does.
 *
 * @returns whether it was this one; the row is at the next version then
 */
export async function moveRow<T extends Table>(
  db: Database,
  table: T,
  { id, state, version }: { id: string; state: Schema[T]['state']; version: number },
  changes: Move<T>,
): Promise<boolean> {
  // The query is the same for each of them; the types of its columns are checked above.
  const { numUpdatedRows } = await db
    .updateTable(table as 'orders')
    .set({ ...(changes as Move<'orders'>), version: version + 1 })
    .where('id', '=', id)
    .where('state', '=', state as Schema['orders']['state'])
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
