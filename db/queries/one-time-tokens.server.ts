import type { Database } from '../schema';
import { hasChanged, rowsIn } from './rows.server';

export const findOpenToken = (db: Database, purpose: string, token_hash: string, now: Date) =>
  rowsIn(db)
    .of('one_time_tokens', { purpose, token_hash, used_at: null })
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();

export function markTokenUsed(db: Database, token_hash: string, now: Date) {
  const open = { token_hash, used_at: null };
  return hasChanged(rowsIn(db).update('one_time_tokens', open, { used_at: now.toISOString() }));
}

export const listUsedTokens = (db: Database, user_id: string, purpose: string, now: Date) =>
  rowsIn(db)
    .of('one_time_tokens', { user_id, purpose })
    .where('used_at', 'is not', null)
    .where('expires_at', '>', now.toISOString())
    .execute();

export const findAnyToken = (db: Database, purpose: string, token_hash: string) =>
  rowsIn(db).find('one_time_tokens', { purpose, token_hash });

/** Counted before it is made. @returns the tries that are left; undefined if there was none */
export async function takeTokenTry(db: Database, token_hash: string, most: number, now: Date) {
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

export const endTokensOfApplication = (db: Database, application_id: string, now: Date) =>
  rowsIn(db)
    .update('one_time_tokens', { application_id, used_at: null }, { used_at: now.toISOString() })
    .execute();

export const deleteTokens = (db: Database, user_id: string, purpose: string) =>
  rowsIn(db).delete('one_time_tokens', { user_id, purpose }).execute();

export const deleteTokensOfApplication = (db: Database, application_id: string, purpose?: string) =>
  rowsIn(db)
    .delete('one_time_tokens', { application_id, ...(purpose && { purpose }) })
    .execute();
