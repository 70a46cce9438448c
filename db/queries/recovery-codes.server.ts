import type { Database } from '../schema';

/** Gives an account these codes instead of those that it had. */
export async function replaceRecoveryCodes(
  db: Database,
  userId: string,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await deleteRecoveryCodes(db, userId);
  if (hashes.length === 0) return;
  await db
    .insertInto('recovery_codes')
    .values(
      hashes.map((hash) => ({
        code_hash: hash,
        user_id: userId,
        created_at: now.toISOString(),
        used_at: null,
      })),
    )
    .execute();
}

/** Uses a code up. @returns whether the account had it unused until now: of two at once, one has it */
export async function markRecoveryCodeUsed(
  db: Database,
  userId: string,
  hash: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now.toISOString() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many codes an account has not used. */
export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const rows = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  return rows.length;
}

/** Deletes an account's codes, used or not. */
export async function deleteRecoveryCodes(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}
