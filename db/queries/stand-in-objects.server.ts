import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';
import { AT_ONCE } from './at-once.server';

export type StandInRow = Selectable<Schema['stand_in_objects']>;

const objects = (db: Database) => db.selectFrom('stand_in_objects').selectAll();

export async function findStandInObject(
  db: Database,
  kind: string,
  id: string,
): Promise<StandInRow | undefined> {
  return objects(db).where('kind', '=', kind).where('id', '=', id).executeTakeFirst();
}

export async function listStandInObjects(db: Database, kind: string): Promise<StandInRow[]> {
  return objects(db)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function listDueStandInObjects(db: Database, now: Date): Promise<StandInRow[]> {
  return objects(db)
    .where('due_at', '<=', now.toISOString())
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** @returns whether it was added; false if there is one of this id */
export async function insertStandInObject(
  db: Database,
  row: Insertable<Schema['stand_in_objects']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('stand_in_objects')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** @returns whether it was replaced; false if somebody else has since this version was read */
export async function replaceStandInObject(
  db: Database,
  { id, version }: Pick<StandInRow, 'id' | 'version'>,
  changes: Pick<StandInRow, 'data' | 'due_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stand_in_objects')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes some of what was answered, and told, before an instant; not what waits to be delivered. */
export async function deleteStandInNewsBefore(db: Database, limit: Date): Promise<number> {
  const told = db
    .selectFrom('stand_in_objects')
    .select('id')
    .where('kind', 'in', ['answer', 'event'])
    .where('created_at', '<', limit.toISOString())
    .where('due_at', 'is', null)
    .limit(AT_ONCE);
  const { numDeletedRows } = await db
    .deleteFrom('stand_in_objects')
    .where('id', 'in', told)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
