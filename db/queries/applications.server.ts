import type { Insertable, Selectable, Updateable } from 'kysely';

import type { ApplicationState } from '~/domain/application/states';
import type { Database, Schema } from '../schema';

export type ApplicationRow = Selectable<Schema['applications']>;

/** Adds an application. @returns false if there is one of this id or reference already */
export async function insertApplication(
  db: Database,
  row: Insertable<Schema['applications']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('applications')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function findApplication(
  db: Database,
  id: string,
): Promise<ApplicationRow | undefined> {
  return db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function listApplications(
  db: Database,
  ids: readonly string[],
): Promise<ApplicationRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('applications')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .execute();
}

/** The applications of an account, the latest first. */
export async function listApplicationsOfUser(
  db: Database,
  userId: string,
): Promise<ApplicationRow[]> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .execute();
}

/** The applications in whose answers an address is found, whoever they belong to. */
export async function listApplicationsByEmail(
  db: Database,
  emailIndexes: readonly string[],
): Promise<ApplicationRow[]> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('email_index', 'in', emailIndexes)
    .orderBy('created_at', 'desc')
    .execute();
}

/**
 * Changes an application that is in a state still.
 *
 * @returns whether it was
 */
export async function updateInState(
  db: Database,
  id: string,
  state: ApplicationState,
  changes: Omit<Updateable<Schema['applications']>, 'id' | 'state' | 'version'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Changes columns of an application at the version that was read, in whatever state it is.
 *
 * @returns whether it was at this version still; it is at the next one then
 */
export async function updateAtVersion(
  db: Database,
  { id, version }: Pick<ApplicationRow, 'id' | 'version'>,
  changes: Omit<Updateable<Schema['applications']>, 'id' | 'state' | 'version'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The application with a reference; undefined if there is none. */
export async function findByReference(
  db: Database,
  reference: string,
): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
}

/**
 * Has whoever else changes this application wait for the end of this transaction.
 *
 * @returns it as it is now; undefined if there is none
 */
export async function lockApplication(
  db: Database,
  id: string,
): Promise<ApplicationRow | undefined> {
  return db
    .updateTable('applications')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Gives an application to the browser that has a token, and takes it from any that had it before.
 *
 * @returns false if it belongs to an account, or is gone
 */
export async function openInBrowser(db: Database, id: string, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set({ draft_token_hash: hash })
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes an application from the browser that has this token. @returns whether that had it */
export async function closeInBrowser(db: Database, id: string, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set({ draft_token_hash: null })
    .where('id', '=', id)
    .where('draft_token_hash', '=', hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Gives an account the applications without one that an address is found in.
 *
 * @returns their ids
 */
export async function takeByEmail(
  db: Database,
  emailIndexes: readonly string[],
  userId: string,
): Promise<string[]> {
  const rows = await db
    .updateTable('applications')
    .set({ user_id: userId, draft_token_hash: null })
    .where('user_id', 'is', null)
    .where('email_index', 'in', emailIndexes)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Gives an account the application that the browser with this token has. @returns whether it had it */
export async function takeByToken(
  db: Database,
  id: string,
  hash: string,
  userId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set({ user_id: userId, draft_token_hash: null })
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .where('draft_token_hash', '=', hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
