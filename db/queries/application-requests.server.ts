import type { Insertable, Selectable } from 'kysely';

import { BEING_CHECKED } from '~/domain/application/states';
import type { Database, Schema } from '../schema';
import { hasChanged } from './changed.server';

export type RequestRow = Selectable<Schema['application_requests']>;

/** Adds a request; one of an application is open at a time. */
export const insertRequest = (db: Database, row: Insertable<Schema['application_requests']>) =>
  db.insertInto('application_requests').values(row).execute();

const requestsOf = (db: Database, applicationId: string) =>
  db.selectFrom('application_requests').selectAll().where('application_id', '=', applicationId);

export function listRequests(db: Database, applicationId: string) {
  return requestsOf(db, applicationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export const findOpenRequest = (db: Database, applicationId: string) =>
  requestsOf(db, applicationId).where('state', '=', 'open').executeTakeFirst();

export const findRequest = (db: Database, applicationId: string, id: string) =>
  requestsOf(db, applicationId).where('id', '=', id).executeTakeFirst();

const changeOpen = (db: Database) =>
  db.updateTable('application_requests').where('state', '=', 'open');

/** Keeps what is typed in answer to a request that is open still. @returns whether it was */
export const saveAnswer = (db: Database, id: string, answer_sealed: string | null) =>
  hasChanged(changeOpen(db).set({ answer_sealed }).where('id', '=', id));

/** Notes that a request was answered that is open still. @returns whether it was */
export function closeRequest(db: Database, id: string, now: Date) {
  return hasChanged(
    changeOpen(db)
      .set(({ eb }) => ({
        state: 'answered',
        answered_at: now.toISOString(),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id),
  );
}

export async function endOpenRequest(db: Database, applicationId: string): Promise<void> {
  await changeOpen(db)
    .set(({ eb }) => ({ state: 'ended', version: eb('version', '+', 1) }))
    .where('application_id', '=', applicationId)
    .execute();
}

/** @returns whether nobody had noted the reminders of an open request: of two servers, one sends */
export function noteReminders(
  db: Database,
  { id, reminders }: Pick<RequestRow, 'id' | 'reminders'>,
  count: number,
) {
  return hasChanged(
    changeOpen(db)
      .set({ reminders: count })
      .where('id', '=', id)
      .where('reminders', '=', reminders),
  );
}

/** The open requests of before an instant with their applications, the oldest first. */
const openBefore = (db: Database, before: Date, limit: number) =>
  db
    .selectFrom('application_requests')
    .innerJoin('applications', 'applications.id', 'application_requests.application_id')
    .where('application_requests.state', '=', 'open')
    .where('application_requests.created_at', '<=', before.toISOString())
    .orderBy('application_requests.created_at')
    .limit(limit);

export function listUnreminded(
  db: Database,
  { before, fewerThan, limit }: { before: Date; fewerThan: number; limit: number },
): Promise<RequestRow[]> {
  return openBefore(db, before, limit)
    .selectAll('application_requests')
    .where('applications.state', 'in', BEING_CHECKED)
    .where('reminders', '<', fewerThan)
    .execute();
}

export async function listUnanswered(db: Database, before: Date, limit: number): Promise<string[]> {
  const rows = await openBefore(db, before, limit)
    .select('applications.id')
    .where('applications.state', '=', 'action_required')
    .execute();
  return rows.map(({ id }) => id);
}
