import type { Database } from '../schema';
import { type Row, rowsIn } from './rows.server';

export type SigningKeyRow = Row<'signing_keys'>;

export const listSigningKeys = (db: Database) => rowsIn(db).of('signing_keys').execute();

export async function retireSigningKey(db: Database, id: string, at: Date): Promise<void> {
  const known = { id, retired_at: null };
  await rowsIn(db).update('signing_keys', known, { retired_at: at.toISOString() }).execute();
}

export const deleteSigningKey = (db: Database, id: string) =>
  rowsIn(db).delete('signing_keys', { id }).execute();
