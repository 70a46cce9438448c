import type { Database } from '../schema';
import { hasChanged, rowsIn } from './rows.server';

export async function replaceRecoveryCodes(
  db: Database,
  user_id: string,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await deleteRecoveryCodes(db, user_id);
  const created_at = now.toISOString();
  const rows = hashes.map((code_hash) => ({ code_hash, user_id, created_at, used_at: null }));
  await db.insertInto('recovery_codes').values(rows).execute();
}

export function markRecoveryCodeUsed(db: Database, user_id: string, code_hash: string, now: Date) {
  const unused = { user_id, code_hash, used_at: null };
  return hasChanged(rowsIn(db).update('recovery_codes', unused, { used_at: now.toISOString() }));
}

export const recoveryCodesLeft = async (db: Database, user_id: string) =>
  (await rowsIn(db).of('recovery_codes', { user_id, used_at: null }).execute()).length;

export const deleteRecoveryCodes = (db: Database, user_id: string) =>
  rowsIn(db).delete('recovery_codes', { user_id }).execute();
