import type { Insertable, Selectable } from 'kysely';

import { BEING_CHECKED } from '~/domain/application/states';
import type { Database, Schema } from '../schema';

export type RequestRow = Selectable<Schema['application_requests']>;

/** Adds a request; one of an application is open at a time. */
export async function insertRequest(
  db: Database,
  row: Insertable<Schema['application_requests']>,
): Promise<void> {
  await db.insertInto('application_requests').values(row).execute();
}

export async function listRequests(db: Database, applicationId: string): Promise<RequestRow[]> {
  return db
    .selectFrom('application_requests')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The open request of an application; undefined if none is. */
export async function findOpenRequest(
  db: Database,
  applicationId: string,
): Promise<RequestRow | undefined> {
  return db
    .selectFrom('application_requests')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('state', '=', 'open')
    .executeTakeFirst();
}

/** A request of an application, open or not; undefined if it is none of this application's. */
export async function findRequest(
  db: Database,
  applicationId: string,
  id: string,
): Promise<RequestRow | undefined> {
  return db
    .selectFrom('application_requests')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Keeps what is typed in answer to a request that is open still. @returns whether it was */
export async function keepAnswer(
  db: Database,
  id: string,
  answer_sealed: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('application_requests')
    .set({ answer_sealed })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Closes a request that is open still. @returns whether it was */
export async function closeRequest(
  db: Database,
  id: string,
  state: 'answered' | 'ended',
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('application_requests')
    .set(({ eb }) => ({
      state,
      ...(state === 'answered' && { answered_at: now.toISOString() }),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function endOpenRequest(db: Database, applicationId: string): Promise<void> {
  await db
    .updateTable('application_requests')
    .set(({ eb }) => ({ state: 'ended', version: eb('version', '+', 1) }))
    .where('application_id', '=', applicationId)
    .where('state', '=', 'open')
    .execute();
}

/**
 * Notes that reminders of an open request were sent, up to this count.
 *
 * @returns whether nobody had noted them: of two servers, one sends
 */
export async function noteReminders(
  db: Database,
  { id, reminders }: Pick<RequestRow, 'id' | 'reminders'>,
  count: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('application_requests')
    .set({ reminders: count })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('reminders', '=', reminders)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Open requests of before an instant that had fewer reminders than this, the oldest first. */
export async function listUnreminded(
  db: Database,
  { before, fewerThan, limit }: { before: Date; fewerThan: number; limit: number },
): Promise<RequestRow[]> {
  return db
    .selectFrom('application_requests')
    .innerJoin('applications', 'applications.id', 'application_requests.application_id')
    .selectAll('application_requests')
    .where('application_requests.state', '=', 'open')
    .where('applications.state', 'in', BEING_CHECKED)
    .where('reminders', '<', fewerThan)
    .where('application_requests.created_at', '<=', before.toISOString())
    .orderBy('application_requests.created_at')
    .limit(limit)
    .execute();
}

/** Applications that wait for an answer to a request of before an instant, those that wait longest first. */
export async function listUnanswered(
  db: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('application_requests')
    .innerJoin('applications', 'applications.id', 'application_requests.application_id')
    .select('applications.id')
    .where('application_requests.state', '=', 'open')
    .where('applications.state', '=', 'action_required')
    .where('application_requests.created_at', '<=', before.toISOString())
    .orderBy('application_requests.created_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
