import type { Database } from '../schema';
import { hasChanged, rowsIn } from './rows.server';

export const findOpenToken = (db: Database, purpose: string, token_hash: string, now: Date) =>
  rowsIn(db)
    .of('one_time_tokens', { purpose, token_hash, used_at: null })
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();

export const markTokenUsed = (db: Database, token_hash: string, now: Date) =>
  hasChanged(
    rowsIn(db).update(
      'one_time_tokens',
      { token_hash, used_at: null },
      { used_at: now.toISOString() },
    ),
  );

export const listUsedTokens = (db: Database, user_id: string, purpose: string, now: Date) =>
  rowsIn(db)
    .of('one_time_tokens', { user_id, purpose })
    .where('used_at', 'is not', null)
    .where('expires_at', '>', now.toISOString())
    .execute();

export const deleteTokens = (db: Database, user_id: string, purpose: string) =>
  rowsIn(db).delete('one_time_tokens', { user_id, purpose }).execute();

export const findAnyToken = (db: Database, purpose: string, token_hash: string) =>
  rowsIn(db).find('one_time_tokens', { purpose, token_hash });

/** Counted before it is made. @returns the tries that are left; undefined if there was none */
export async function takeTokenTry(
  db: Database,
  token_hash: string,
  most: number,
  now: Date,
): Promise<number | undefined> {
  const tried = await db
    .updateTable('one_time_tokens')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where((eb) => eb.and({ token_hash, used_at: null }))
    .where('expires_at', '>', now.toISOString())
    .where('attempts', '<', most)
    .returning('attempts')
    .executeTakeFirst();
  return tried && most - tried.attempts;
}

export async function endTokensOfApplication(
  db: Database,
  application_id: string,
  now: Date,
): Promise<void> {
  const open = { application_id, used_at: null };
  await rowsIn(db).update('one_time_tokens', open, { used_at: now.toISOString() }).execute();
}

export async function deleteTokensOfApplication(
  db: Database,
  application_id: string,
  purpose?: string,
): Promise<void> {
  const known = { application_id, ...(purpose && { purpose }) };
  await rowsIn(db).delete('one_time_tokens', known).execute();
}
