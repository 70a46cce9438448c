import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

export type SigningKeyRow = Selectable<Schema['signing_keys']>;

export async function listSigningKeys(db: Database): Promise<SigningKeyRow[]> {
  return db.selectFrom('signing_keys').selectAll().execute();
}

export async function insertSigningKey(
  db: Database,
  key: Insertable<Schema['signing_keys']>,
): Promise<void> {
  await db.insertInto('signing_keys').values(key).execute();
}

/** Has a key sign nothing more. @returns whether it was not retired until now */
export async function retireSigningKey(db: Database, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signing_keys')
    .set({ retired_at: at.toISOString() })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteSigningKey(db: Database, id: string): Promise<void> {
  await db.deleteFrom('signing_keys').where('id', '=', id).execute();
}
