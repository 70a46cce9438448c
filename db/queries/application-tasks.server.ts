import { type Insertable, sql } from 'kysely';

import type { Database, Schema } from '../schema';
import type { ApplicationRow } from './applications.server';
import { type Row, hasChanged, rowsIn, selectIds } from './rows.server';

export type TaskRow = Row<'application_tasks'>;

export const listTasks = (db: Database, application_id: string) =>
  rowsIn(db)
    .of('application_tasks', { application_id })
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export async function insertTasks(db: Database, tasks: Insertable<Schema['application_tasks']>[]) {
  for (const task of tasks) await rowsIn(db).insertNew('application_tasks', task);
}

/** At most so many at once: the others of the site wait meanwhile. */
const AT_ONCE = 100;

/** Not by its index, which has all that were ever approved. */
const isApproved = sql<boolean>`applications.state || '' = 'approved'`;

const ofLook = (db: Database) =>
  db
    .selectFrom('applications')
    .leftJoin('application_tasks', (join) =>
      join
        .onRef('application_tasks.application_id', '=', 'applications.id')
        .on('kind', '=', 'look'),
    )
    .where(isApproved)
    .limit(AT_ONCE);

export const listPendingLooks = (db: Database, { from, until }: { from: string; until: string }) =>
  selectIds(
    ofLook(db)
      .select('applications.id')
      .where('look_on', '>=', from)
      .where('look_on', '<=', until)
      .where('application_tasks.id', 'is', null),
  );

export const listOpenLooks = (db: Database) =>
  db
    .selectFrom('applications')
    // SQLite joins in this order, and reads by the day of the look.
    .crossJoin('application_tasks')
    .select(['applications.id', 'reference', 'look_on'])
    .where('look_on', '>', '')
    .where(isApproved)
    .whereRef('application_tasks.application_id', '=', 'applications.id')
    .where('kind', '=', 'look')
    .where('application_tasks.state', '=', 'open')
    .orderBy('look_on')
    .limit(AT_ONCE)
    .execute();

/** Filed before an instant, without an outcome, and nobody is asked to look, nor has since another. */
export function listPendingOutcome(
  db: Database,
  { filedBefore, lookedBefore }: { filedBefore: Date; lookedBefore: Date },
): Promise<string[]> {
  const pending = db
    .selectFrom('applications')
    .select('id')
    .where('state', '=', 'filed')
    .where('filed_at', '<=', filedBefore.toISOString())
    .where((where) => {
      const looks = where
        .selectFrom('application_tasks')
        .select('application_tasks.id')
        .whereRef('application_tasks.application_id', '=', 'applications.id')
        .where('kind', '=', 'outcome')
        .where((task) =>
          task('application_tasks.state', '=', 'open').or(
            'done_at',
            '>',
            lookedBefore.toISOString(),
          ),
        );
      return where.not(where.exists(looks));
    })
    .orderBy('filed_at')
    .limit(AT_ONCE);
  return selectIds(pending);
}

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
  return {
    requests,
    amendments: await amendments.orderBy('created_at').execute(),
    notes: await rowsIn(db).of('notes', { application_id }).orderBy('created_at').execute(),
  };
}

const dueBy = (db: Database, by: Date) =>
  rowsIn(db)
    .of('applications', { state: 'fee_due' })
    .where('pay_by', '<=', by.toISOString())
    .orderBy('pay_by');

export const listFeesDue = (db: Database, by: Date) => dueBy(db, by).limit(AT_ONCE).execute();

export const listUnpaidFees = (db: Database, { after, by }: { after: Date; by: Date }) =>
  dueBy(db, by).where('pay_by', '>', after.toISOString()).execute();

export function noteFeeReminded(
  db: Database,
  { id, version, reminded_at }: ApplicationRow,
  now: Date,
) {
  const known = { id, version, reminded_at, state: 'fee_due' } as const;
  return hasChanged(rowsIn(db).update('applications', known, { reminded_at: now.toISOString() }));
}
