import type { Database } from '../schema';

/** Gives an account these codes instead of those that it had. */
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

/** Uses a code up. @returns false if the account has no unused one of this hash */
export async function markRecoveryCodeUsed(
  db: Database,
  user_id: string,
  code_hash: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now.toISOString() })
    .where((eb) => eb.and({ user_id, code_hash, used_at: null }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function recoveryCodesLeft(db: Database, user_id: string): Promise<number> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where((eb) => eb.and({ user_id, used_at: null }))
    .execute();
  return rows.length;
}

/** Deletes an account's codes, used or not. */
export async function deleteRecoveryCodes(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
