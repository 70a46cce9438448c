import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';
import { AT_ONCE } from './at-once.server';

type TokenRow = Selectable<Schema['one_time_tokens']>;

const tokensFor = (db: Database, of: { purpose: string; token_hash?: string; user_id?: string }) =>
  db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where((eb) => eb.and(of));

/** Adds a token. Those that were sent before stay good: mails may arrive in another order. */
export async function insertToken(
  db: Database,
  token: Insertable<Schema['one_time_tokens']>,
): Promise<void> {
  await db.insertInto('one_time_tokens').values(token).execute();
}

/** The token with a hash, if it is for this purpose, unused and in its time. */
export async function findOpenToken(
  db: Database,
  purpose: string,
  token_hash: string,
  now: Date,
): Promise<TokenRow | undefined> {
  return tokensFor(db, { purpose, token_hash })
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
}

/** Marks a token as used. @returns false if it was used before */
export async function markTokenUsed(db: Database, hash: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('one_time_tokens')
    .set({ used_at: now.toISOString() })
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** An account's tokens for a purpose that were used, as long as they would have been good. */
export async function listUsedTokens(
  db: Database,
  user_id: string,
  purpose: string,
  now: Date,
): Promise<TokenRow[]> {
  return tokensFor(db, { user_id, purpose })
    .where('used_at', 'is not', null)
    .where('expires_at', '>', now.toISOString())
    .execute();
}

export async function deleteTokens(db: Database, userId: string, purpose: string): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}

/** Removes some of the tokens whose time ended before an instant; returns how many. */
export async function deleteTokensBefore(db: Database, instant: Date): Promise<number> {
  const ended = db
    .selectFrom('one_time_tokens')
    .select('token_hash')
    .where('expires_at', '<', instant.toISOString())
    .limit(AT_ONCE);
  const { numDeletedRows } = await db
    .deleteFrom('one_time_tokens')
    .where('token_hash', 'in', ended)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The token with a hash, if it is for this purpose, whether it is used or late, or not. */
export async function findAnyToken(
  db: Database,
  purpose: string,
  token_hash: string,
): Promise<TokenRow | undefined> {
  return tokensFor(db, { purpose, token_hash }).executeTakeFirst();
}

/**
 * Counts a try with a token before it is made, of so many at most.
 *
 * @returns the tries that are left after it; undefined if there was none left, or it is used or late
 */
export async function takeTokenTry(
  db: Database,
  hash: string,
  most: number,
  now: Date,
): Promise<number | undefined> {
  const tried = await db
    .updateTable('one_time_tokens')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where('attempts', '<', most)
    .returning('attempts')
    .executeTakeFirst();
  return tried && most - tried.attempts;
}

/** Marks all tokens of an application as used. */
export async function endTokensOfApplication(
  db: Database,
  applicationId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('one_time_tokens')
    .set({ used_at: now.toISOString() })
    .where('application_id', '=', applicationId)
    .where('used_at', 'is', null)
    .execute();
}

/** Without a purpose, those for all purposes. */
export async function deleteTokensOfApplication(
  db: Database,
  application_id: string,
  purpose?: string,
): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where((eb) => eb.and({ application_id, ...(purpose && { purpose }) }))
    .execute();
}
