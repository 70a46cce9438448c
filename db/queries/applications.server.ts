import type { Insertable, Selectable, Updateable } from 'kysely';

import type { ApplicationState } from '~/domain/application/states';
import type { Database, Schema } from '../schema';
import { hasChanged } from './changed.server';

export type ApplicationRow = Selectable<Schema['applications']>;
type Changes = Omit<Updateable<Schema['applications']>, 'id' | 'state' | 'version'>;

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

const all = (db: Database) => db.selectFrom('applications').selectAll();
const latestFirst = (db: Database) => all(db).orderBy('created_at', 'desc');

export const findApplication = (db: Database, id: string) =>
  all(db).where('id', '=', id).executeTakeFirst();

export const findByReference = (db: Database, reference: string) =>
  all(db).where('reference', '=', reference).executeTakeFirst();

export async function listApplications(
  db: Database,
  ids: readonly string[],
): Promise<ApplicationRow[]> {
  return ids.length === 0 ? [] : latestFirst(db).where('id', 'in', ids).execute();
}

export const listApplicationsOfUser = (db: Database, userId: string) =>
  latestFirst(db).where('user_id', '=', userId).execute();

/** The applications in whose answers an address is found, whoever they belong to. */
export const listApplicationsByEmail = (db: Database, emailIndexes: readonly string[]) =>
  latestFirst(db).where('email_index', 'in', emailIndexes).execute();

/** Changes an application that is in a state still. @returns whether it was */
export function updateInState(db: Database, id: string, state: ApplicationState, changes: Changes) {
  return hasChanged(
    db.updateTable('applications').set(changes).where('id', '=', id).where('state', '=', state),
  );
}

/** Changes an application in whatever state. @returns whether it was at the version that was read */
export function updateAtVersion(
  db: Database,
  { id, version }: Pick<ApplicationRow, 'id' | 'version'>,
  changes: Changes,
) {
  return hasChanged(
    db
      .updateTable('applications')
      .set({ ...changes, version: version + 1 })
      .where('id', '=', id)
      .where('version', '=', version),
  );
}

/** Has whoever else changes this application wait for the end of this transaction. */
export function lockApplication(db: Database, id: string): Promise<ApplicationRow | undefined> {
  return db
    .updateTable('applications')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Takes an application from any browser that had it before. @returns false if it belongs to an
 * account
 */
export function openInBrowser(db: Database, id: string, hash: string) {
  return hasChanged(
    db
      .updateTable('applications')
      .set({ draft_token_hash: hash })
      .where('id', '=', id)
      .where('user_id', 'is', null),
  );
}

/** Takes an application from the browser that has this token. @returns whether that had it */
export function closeInBrowser(db: Database, id: string, hash: string) {
  return hasChanged(
    db
      .updateTable('applications')
      .set({ draft_token_hash: null })
      .where('id', '=', id)
      .where('draft_token_hash', '=', hash),
  );
}

const takenBy = (db: Database, userId: string) =>
  db
    .updateTable('applications')
    .set({ user_id: userId, draft_token_hash: null })
    .where('user_id', 'is', null);

/** Gives an account the applications without one that an address is found in. @returns their ids */
export async function takeByEmail(
  db: Database,
  emailIndexes: readonly string[],
  userId: string,
): Promise<string[]> {
  const taken = takenBy(db, userId).where('email_index', 'in', emailIndexes).returning('id');
  return (await taken.execute()).map(({ id }) => id);
}

/** Gives an account the application that the browser with this token has. @returns whether it had it */
export const takeByToken = (db: Database, id: string, hash: string, userId: string) =>
  hasChanged(takenBy(db, userId).where('id', '=', id).where('draft_token_hash', '=', hash));

/** The key of a step's row, to which its sealed answers are bound. */
export function answersId(applicationId: string, step: number): string {
  return `${applicationId}/${step}`;
}

export function listAnswers(db: Database, applicationId: string) {
  return db
    .selectFrom('application_answers')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('step')
    .execute();
}

export function listStepOf(db: Database, applicationIds: readonly string[], step: number) {
  const ids = applicationIds.map((id) => answersId(id, step));
  return db
    .selectFrom('application_answers')
    .select(['id', 'application_id', 'sealed'])
    .where('id', 'in', ids)
    .execute();
}

interface StepToSave {
  applicationId: string;
  step: number;
  sealed: string;
  isComplete: boolean;
  /** Of the row that the form was made from; 0: there was none. */
  version: number;
}

/** @returns false if somebody else has saved the step meanwhile */
export async function replaceAnswers(
  db: Database,
  { applicationId, step, sealed, isComplete, version }: StepToSave,
  now: Date,
): Promise<boolean> {
  const changes = {
    sealed,
    is_complete: isComplete ? (1 as const) : (0 as const),
    version: version + 1,
    saved_at: now.toISOString(),
  };
  if (version === 0) {
    const id = answersId(applicationId, step);
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('application_answers')
      .values({ ...changes, id, step, application_id: applicationId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }
  return hasChanged(
    db
      .updateTable('application_answers')
      .set(changes)
      .where('application_id', '=', applicationId)
      .where('step', '=', step)
      .where('version', '=', version),
  );
}
