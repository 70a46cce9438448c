import type { Database } from '../schema';
import { hasChanged, rowsIn } from './rows.server';

/** The token with a hash, if it is for this purpose, unused and in its time. */
export const findOpenToken = (db: Database, purpose: string, token_hash: string, now: Date) =>
  rowsIn(db)
    .of('one_time_tokens', { purpose, token_hash, used_at: null })
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();

/** Marks a token as used. @returns false if it was used before */
export const markTokenUsed = (db: Database, token_hash: string, now: Date) =>
  hasChanged(
    rowsIn(db).update(
      'one_time_tokens',
      { token_hash, used_at: null },
      { used_at: now.toISOString() },
    ),
  );

/** An account's tokens for a purpose that were used, as long as they would have been good. */
export const listUsedTokens = (db: Database, user_id: string, purpose: string, now: Date) =>
  rowsIn(db)
    .of('one_time_tokens', { user_id, purpose })
    .where('used_at', 'is not', null)
    .where('expires_at', '>', now.toISOString())
    .execute();

export const deleteTokens = (db: Database, user_id: string, purpose: string) =>
  rowsIn(db).delete('one_time_tokens', { user_id, purpose }).execute();

/** Removes some of the tokens whose time ended before an instant; returns how many. */
export const deleteTokensBefore = (db: Database, instant: Date) =>
  rowsIn(db).deleteSome('one_time_tokens', 'token_hash', (where) =>
    where('expires_at', '<', instant.toISOString()),
  );

/** The token with a hash, if it is for this purpose, whether it is used or late, or not. */
export const findAnyToken = (db: Database, purpose: string, token_hash: string) =>
  rowsIn(db).find('one_time_tokens', { purpose, token_hash });

/**
 * Counts a try with a token before it is made, of so many at most.
 *
 * @returns the tries that are left after it; undefined if there was none left, or it is used or late
 */
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

/** Marks all tokens of an application as used. */
export async function endTokensOfApplication(
  db: Database,
  application_id: string,
  now: Date,
): Promise<void> {
  const open = { application_id, used_at: null };
  await rowsIn(db).update('one_time_tokens', open, { used_at: now.toISOString() }).execute();
}

/** Without a purpose, those for all purposes. */
export async function deleteTokensOfApplication(
  db: Database,
  application_id: string,
  purpose?: string,
): Promise<void> {
  const known = { application_id, ...(purpose && { purpose }) };
  await rowsIn(db).delete('one_time_tokens', known).execute();
}
