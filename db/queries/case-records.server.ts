import type { Database } from '../schema';
import { rowsIn } from './rows.server';
import { staffName } from './staff.server';

/** What staff has written about an application, and asked of its owner, sealed as it is kept. */
export async function listCaseRecords(db: Database, application_id: string) {
  const requests = await rowsIn(db)
    .of('application_requests', { application_id })
    .clearSelect()
    .select([
      'id',
      'state',
      'fields',
      'reason_sealed',
      'answer_sealed',
      'created_at',
      'answered_at',
    ])
    .orderBy('created_at')
    .execute();
  const amendments = rowsIn(db).of('application_amendments', { application_id });
  const notes = rowsIn(db).of('notes', { application_id });
  return {
    requests,
    amendments: await amendments.orderBy('created_at').execute(),
    notes: await notes.orderBy('created_at').execute(),
  };
}

/** The notes about an application, the latest first, with who wrote them. */
export const listNotes = (db: Database, applicationId: string, limit: number) =>
  db
    .selectFrom('notes')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'notes.written_by').on('users.kind', '=', 'staff'),
    )
    .selectAll('notes')
    .select(staffName().as('by'))
    .where('application_id', '=', applicationId)
    .orderBy('notes.created_at', 'desc')
    .orderBy('notes.id')
    .limit(limit)
    .execute();

/** The changes of its answers, the latest first, with who of the staff made them. */
export const listAmendments = (db: Database, applicationId: string, limit: number) =>
  db
    .selectFrom('application_amendments')
    .leftJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'application_amendments.amended_by')
        .on('users.kind', '=', 'staff'),
    )
    .selectAll('application_amendments')
    .select(staffName().as('by'))
    .where('application_id', '=', applicationId)
    .orderBy('application_amendments.created_at', 'desc')
    .orderBy('application_amendments.id')
    .limit(limit)
    .execute();
