import type { Insertable, Selectable, Updateable } from 'kysely';

import type { AccountKind } from '~/domain/accounts';
import type { Database, Schema } from '../schema';
import { AT_ONCE } from './at-once.server';

export type UserRow = Selectable<Schema['users']>;
type Changes = Updateable<Schema['users']>;

/** Adds an account. @returns false if its address has one of this kind already */
export async function insertUser(
  db: Database,
  user: Omit<Insertable<Schema['users']>, 'created_at'>,
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('users')
    .values({ ...user, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.columns(['kind', 'email_normalized']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function findUserByEmail(
  db: Database,
  kind: AccountKind,
  email_normalized: string,
): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb.and({ kind, email_normalized }))
    .executeTakeFirst();
}

export async function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Changes an account and increments its version. */
export async function updateUser(db: Database, id: string, changes: Changes): Promise<void> {
  await db
    .updateTable('users')
    .set(changes)
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Changes an account unless its address is confirmed: of two that confirm it at once, one does. */
export async function changeUnconfirmed(
  db: Database,
  id: string,
  changes: Changes,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(changes)
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where((eb) => eb.and({ id, email_verified_at: null }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Some of the travellers' accounts that were made before an instant and never confirmed. */
export async function listUnconfirmedBefore(db: Database, instant: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.and({ kind: 'traveller', email_verified_at: null }))
    .where('created_at', '<', instant.toISOString())
    .limit(AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteUnconfirmed(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where((eb) => eb.and({ id, email_verified_at: null }))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Replaces a password's hash, by another one or by itself, and holds the account until the transaction
 * ends: who starts a session by a password does so first, so that no session outlives a change of it.
 *
 * @returns whether it was still the account's
 */
export async function replacePasswordHash(
  db: Database,
  id: string,
  before: string,
  after: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: after })
    .where((eb) => eb.and({ id, password_hash: before }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes an account with its sessions, factors, codes and links. @returns whether it was there */
export async function deleteUser(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('users').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Has whoever else changes this account wait for the end of this transaction. */
export async function lockUser(db: Database, id: string): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .execute();
}
