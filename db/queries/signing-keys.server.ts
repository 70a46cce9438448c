import type { Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

export type SigningKeyRow = Selectable<Schema['signing_keys']>;

export async function listSigningKeys(db: Database): Promise<SigningKeyRow[]> {
  return db.selectFrom('signing_keys').selectAll().execute();
}

export async function insertSigningKey(db: Database, key: SigningKeyRow): Promise<void> {
  await db.insertInto('signing_keys').values(key).execute();
}

/** Has a key sign nothing more, unless it was retired before. */
export async function retireSigningKey(db: Database, id: string, at: Date): Promise<void> {
  await db
    .updateTable('signing_keys')
    .set({ retired_at: at.toISOString() })
    .where((eb) => eb.and({ id, retired_at: null }))
    .execute();
}

export async function deleteSigningKey(db: Database, id: string): Promise<void> {
  await db.deleteFrom('signing_keys').where('id', '=', id).execute();
}
