import type { Insertable, Updateable } from 'kysely';

import type { Database, Schema } from '../schema';
import { hasChanged } from './changed.server';

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

/** Where a page of a list begins or ends. */
export interface RowKey {
  at: string;
  id: string;
}

type Replaceable = 'leads' | 'contact_messages' | 'application_tasks';

/**
 * Changes a row of the version that was read: of many at the same moment, one does.
 *
 * @returns whether it was this one
 */
export const replaceRow = <T extends Replaceable>(
  db: Database,
  table: T,
  { id, version }: { id: string; version: number },
  changes: Omit<Updateable<Schema[T]>, 'id' | 'version'>,
) =>
  hasChanged(
    db
      .updateTable(table as 'leads')
      .set({ ...(changes as Updateable<Schema['leads']>), version: version + 1 })
      .where('id', '=', id)
      .where('version', '=', version),
  );

/** Adds a row. @returns false if there is one of its key already */
export async function insertNew<T extends 'leads' | 'notes'>(
  db: Database,
  table: T,
  row: Insertable<Schema[T]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto(table as 'leads')
    .values(row as Insertable<Schema['leads']>)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
