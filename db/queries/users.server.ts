import type { Insertable, Updateable } from 'kysely';

import type { AccountKind } from '~/domain/accounts';
import type { Database, Schema } from '../schema';
import { AT_ONCE, type Row, hasChanged, selectIds, rowsIn } from './rows.server';

export type UserRow = Row<'users'>;
type Changes = Updateable<Schema['users']>;

/** @returns false if its address has an account of this kind already */
export const insertUser = (
  db: Database,
  user: Omit<Insertable<Schema['users']>, 'created_at'>,
  now: Date,
) => rowsIn(db).insertNew('users', { ...user, created_at: now.toISOString() });

export const findUserByEmail = (db: Database, kind: AccountKind, email_normalized: string) =>
  rowsIn(db).find('users', { kind, email_normalized });

export const findUser = (db: Database, id: string) => rowsIn(db).find('users', { id });

const changed = (db: Database, known: Partial<UserRow>, changes: Changes) =>
  rowsIn(db)
    .update('users', known, changes)
    .set(({ eb }) => ({ version: eb('version', '+', 1) }));

export const updateUser = (db: Database, id: string, changes: Changes) =>
  changed(db, { id }, changes).execute();

/** Of two that confirm it at once, one does. */
export const changeUnconfirmed = (db: Database, id: string, changes: Changes) =>
  hasChanged(changed(db, { id, email_verified_at: null }, changes));

export const listUnconfirmedBefore = (db: Database, instant: Date) =>
  selectIds(
    rowsIn(db)
      .of('users', { kind: 'traveller', email_verified_at: null })
      .where('created_at', '<', instant.toISOString())
      .limit(AT_ONCE),
  );

export const deleteUnconfirmed = (db: Database, id: string) =>
  hasChanged(rowsIn(db).delete('users', { id, email_verified_at: null }));

/**
 * By another one or by itself, and holds the account until the transaction ends: who starts a session
 * by a password does so first, so that no session outlives a change of it. @returns whether it was
 * still the account's
 */
export const replacePasswordHash = (db: Database, id: string, before: string, after: string) =>
  hasChanged(rowsIn(db).update('users', { id, password_hash: before }, { password_hash: after }));

export const deleteUser = (db: Database, id: string) =>
  hasChanged(rowsIn(db).delete('users', { id }));

export const lockUser = (db: Database, id: string) => rowsIn(db).lock('users', id);
