import type { AccountKind } from '~/domain/accounts';
import type { StaffRole } from '~/domain/staff';
import type { Database, Schema } from '../schema';
import type { Selectable } from 'kysely';
import { AT_ONCE } from './at-once.server';

export type UserRow = Selectable<Schema['users']>;

export interface NewUser {
  id: string;
  email: string;
  /** By `normalizeEmail`. */
  emailNormalized: string;
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
  language: string;
  kind: AccountKind;
  role: StaffRole | null;
}

/** Adds an account. @returns false if its address has one of this kind already */
export async function insertUser(db: Database, user: NewUser, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      email_normalized: user.emailNormalized,
      password_hash: user.passwordHash,
      first_name: user.firstName,
      last_name: user.lastName,
      language_code: user.language,
      kind: user.kind,
      role: user.role,
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['kind', 'email_normalized']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The account of an address as `normalizeEmail` gives it. */
export async function findUserByEmail(
  db: Database,
  kind: AccountKind,
  emailNormalized: string,
): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('kind', '=', kind)
    .where('email_normalized', '=', emailNormalized)
    .executeTakeFirst();
}

export async function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Changes an account and counts its version on. */
export async function updateUser(
  db: Database,
  id: string,
  changes: Partial<Omit<UserRow, 'id' | 'version' | 'created_at' | 'kind'>>,
): Promise<void> {
  await db
    .updateTable('users')
    .set(changes)
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export interface SignedUp {
  passwordHash: string;
  firstName: string | null;
  lastName: string | null;
}

/**
 * An account whose address nobody has confirmed yet takes what was typed at the latest sign-up, as if
 * it was made now. @returns false if the address is confirmed
 */
export async function renewUnconfirmed(
  db: Database,
  id: string,
  { passwordHash, firstName, lastName }: SignedUp,
  language: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      first_name: firstName,
      last_name: lastName,
      language_code: language,
      created_at: now.toISOString(),
    })
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Confirms the address of an account, with what was typed at the sign-up that the link is of.
 *
 * @returns whether it was unconfirmed until now: of two links at once, one has it
 */
export async function confirmAddress(
  db: Database,
  id: string,
  { passwordHash, firstName, lastName }: SignedUp,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(({ eb }) => ({
      email_verified_at: now.toISOString(),
      password_hash: passwordHash,
      first_name: firstName,
      last_name: lastName,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Some of the travellers' accounts that were made before an instant and never confirmed. */
export async function listUnconfirmedBefore(db: Database, instant: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('kind', '=', 'traveller')
    .where('email_verified_at', 'is', null)
    .where('created_at', '<', instant.toISOString())
    .limit(AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes an account unless its address has been confirmed; returns whether it was deleted. */
export async function deleteUnconfirmed(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('users')
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
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
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Deletes an account; its sessions, factors, codes and links go with it.
 *
 * @returns whether it was there
 */
export async function deleteUser(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('users').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Has whoever else changes this account wait for the end of this transaction. @returns whether it is there */
export async function lockUser(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
