import { sql, type SqlBool, type Updateable } from 'kysely';

import type { ApplicationState } from '~/domain/application/states';
import type { Database, Schema } from '../schema';
import { type Row, hasChanged, selectIds, rowsIn } from './rows.server';

export type ApplicationRow = Row<'applications'>;

export const findApplication = (db: Database, id: string) =>
  rowsIn(db).find('applications', { id });

export const findByReference = (db: Database, reference: string) =>
  rowsIn(db).find('applications', { reference });

const latestFirst = (db: Database, known: Partial<ApplicationRow> = {}) =>
  rowsIn(db).of('applications', known).orderBy('created_at', 'desc');

export const listApplications = async (db: Database, ids: readonly string[]) =>
  ids.length === 0 ? [] : latestFirst(db).where('id', 'in', ids).execute();

export const listApplicationsOfUser = (db: Database, user_id: string) =>
  latestFirst(db, { user_id }).execute();

export const listApplicationsByEmail = (db: Database, emailIndexes: readonly string[]) =>
  latestFirst(db).where('email_index', 'in', emailIndexes).execute();

export const updateInState = (
  db: Database,
  id: string,
  state: ApplicationState,
  changes: Omit<Updateable<Schema['applications']>, 'id' | 'state' | 'version'>,
) => hasChanged(rowsIn(db).update('applications', { id, state }, changes));

export const lockApplication = (db: Database, id: string) => rowsIn(db).lock('applications', id);

export const isNotHeld = (column: 'contact_messages.application_id' | 'outbox.application_id') =>
  sql<SqlBool>`not exists (
    select 1 from applications
    where applications.id = ${sql.ref(column)} and applications.hold_reason is not null
  )`;

/** Takes it from any browser that had it before. @returns false if it belongs to an account */
export const openInBrowser = (db: Database, id: string, draft_token_hash: string) =>
  hasChanged(rowsIn(db).update('applications', { id, user_id: null }, { draft_token_hash }));

export const closeInBrowser = (db: Database, id: string, draft_token_hash: string) =>
  hasChanged(
    rowsIn(db).update('applications', { id, draft_token_hash }, { draft_token_hash: null }),
  );

const takenBy = (db: Database, user_id: string) =>
  rowsIn(db).update('applications', { user_id: null }, { user_id, draft_token_hash: null });

export const takeByEmail = (db: Database, emailIndexes: readonly string[], userId: string) =>
  selectIds(takenBy(db, userId).where('email_index', 'in', emailIndexes).returning('id'));

export const takeByToken = (db: Database, id: string, hash: string, userId: string) =>
  hasChanged(takenBy(db, userId).where('id', '=', id).where('draft_token_hash', '=', hash));

/** The key of a step's row, to which its sealed answers are bound. */
export const answersId = (applicationId: string, step: number): string =>
  `${applicationId}/${step}`;

export const listAnswers = (db: Database, application_id: string) =>
  rowsIn(db).of('application_answers', { application_id }).orderBy('step').execute();

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

export function replaceAnswers(
  db: Database,
  { applicationId: application_id, step, sealed, isComplete, version }: StepToSave,
  now: Date,
): Promise<boolean> {
  const changes = {
    sealed,
    is_complete: isComplete ? (1 as const) : (0 as const),
    version: version + 1,
    saved_at: now.toISOString(),
  };
  if (version === 0) {
    const id = answersId(application_id, step);
    return rowsIn(db).insertNew('application_answers', { ...changes, id, step, application_id });
  }
  const known = { application_id, step, version };
  return hasChanged(rowsIn(db).update('application_answers', known, changes));
}
