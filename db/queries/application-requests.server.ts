import { BEING_CHECKED } from '~/domain/application/states';
import type { Database } from '../schema';
import { type Row, hasChanged, selectIds, rowsIn } from './rows.server';

export type RequestRow = Row<'application_requests'>;

export const listRequests = (db: Database, application_id: string) =>
  rowsIn(db)
    .of('application_requests', { application_id })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export const findOpenRequest = (db: Database, application_id: string) =>
  rowsIn(db).find('application_requests', { application_id, state: 'open' });

export const saveSealedAnswer = (db: Database, id: string, answer_sealed: string | null) =>
  hasChanged(rowsIn(db).update('application_requests', { id, state: 'open' }, { answer_sealed }));

const endRequest = (db: Database, known: Partial<RequestRow>, changes: Partial<RequestRow>) =>
  rowsIn(db)
    .update('application_requests', { ...known, state: 'open' }, changes)
    .set(({ eb }) => ({ version: eb('version', '+', 1) }));

export const closeRequest = (db: Database, id: string, now: Date) =>
  hasChanged(endRequest(db, { id }, { state: 'answered', answered_at: now.toISOString() }));

export const endOpenRequest = (db: Database, application_id: string) =>
  endRequest(db, { application_id }, { state: 'ended' }).execute();

/** @returns whether nobody had noted them: of two servers, one sends */
export function noteReminders(db: Database, { id, reminders }: RequestRow, count: number) {
  const known = { id, state: 'open', reminders } as const;
  return hasChanged(rowsIn(db).update('application_requests', known, { reminders: count }));
}

const openBefore = (db: Database, before: Date, limit: number) =>
  db
    .selectFrom('application_requests')
    .innerJoin('applications', 'applications.id', 'application_requests.application_id')
    .where('application_requests.state', '=', 'open')
    .where('application_requests.created_at', '<=', before.toISOString())
    .orderBy('application_requests.created_at')
    .limit(limit);

export const listUnreminded = (
  db: Database,
  { before, fewerThan, limit }: { before: Date; fewerThan: number; limit: number },
): Promise<RequestRow[]> =>
  openBefore(db, before, limit)
    .selectAll('application_requests')
    .where('applications.state', 'in', BEING_CHECKED)
    .where('reminders', '<', fewerThan)
    .execute();

export const listUnanswered = (db: Database, before: Date, limit: number) =>
  selectIds(
    openBefore(db, before, limit)
      .select('applications.id')
      .where('applications.state', '=', 'action_required'),
  );

export type OfStaff = { staffId: string; applicationId?: string | undefined; limit: number };

/** What was answered in the cases of somebody who has not looked at their conversations since. */
export const listNewAnswers = (db: Database, { staffId, applicationId, limit }: OfStaff) =>
  db
    .selectFrom('application_requests')
    .innerJoin('applications', 'applications.id', 'application_requests.application_id')
    .selectAll('application_requests')
    .select('applications.reference')
    .where('applications.assigned_to', '=', staffId)
    .where('applications.state', 'in', BEING_CHECKED)
    .where('application_requests.state', '=', 'answered')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('audit_events')
            .select('audit_events.id')
            .where('subject_type', '=', 'application')
            .whereRef('subject_id', '=', 'applications.id')
            .where('actor_id', '=', staffId)
            .where('action', '=', 'case.viewed')
            .where('details', 'like', '%"conversation"%')
            .whereRef('at', '>', 'application_requests.answered_at'),
        ),
      ),
    )
    .$if(applicationId !== undefined, (query) =>
      query.where('applications.id', '=', applicationId ?? ''),
    )
    .limit(limit)
    .execute();
