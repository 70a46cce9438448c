import type { Insertable } from 'kysely';

import type { Database, Schema } from '../schema';
import { type Row, selectIds, rowsIn } from './rows.server';

export type TaskRow = Row<'application_tasks'>;

export const listTasks = (db: Database, application_id: string) =>
  rowsIn(db)
    .of('application_tasks', { application_id })
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Adds tasks; one that is there already stays as it is. */
export async function insertTasks(
  db: Database,
  tasks: Insertable<Schema['application_tasks']>[],
): Promise<void> {
  if (tasks.length === 0) return;
  await db
    .insertInto('application_tasks')
    .values(tasks)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** At most so many at once: the others of the site wait meanwhile. */
const AT_ONCE = 100;

const ofLook = (db: Database) =>
  db
    .selectFrom('applications')
    .leftJoin('application_tasks', (join) =>
      join
        .onRef('application_tasks.application_id', '=', 'applications.id')
        .on('kind', '=', 'look'),
    )
    .where('applications.state', '=', 'approved')
    .limit(AT_ONCE);

/** Of which nobody is asked yet to look before the arrival between two days. */
export const listPendingLooks = (db: Database, { from, until }: { from: string; until: string }) =>
  selectIds(
    ofLook(db)
      .select('applications.id')
      .where('look_on', '>=', from)
      .where('look_on', '<=', until)
      .where('application_tasks.id', 'is', null),
  );

export const listOpenLooks = (db: Database) =>
  ofLook(db)
    .select(['applications.id', 'reference', 'look_on'])
    .where('application_tasks.state', '=', 'open')
    .orderBy('look_on')
    .execute();

/**
 * Filed before an instant, without an outcome, and nobody is asked to look, nor has looked since
 * another.
 */
export function listPendingOutcome(
  db: Database,
  { filedBefore, lookedBefore }: { filedBefore: Date; lookedBefore: Date },
): Promise<string[]> {
  const pending = db
    .selectFrom('applications')
    .select('id')
    .where('state', '=', 'filed')
    .where('filed_at', '<=', filedBefore.toISOString())
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('application_tasks')
            .select('application_tasks.id')
            .whereRef('application_tasks.application_id', '=', 'applications.id')
            .where('kind', '=', 'outcome')
            .where((task) =>
              task.or([
                task('application_tasks.state', '=', 'open'),
                task('done_at', '>', lookedBefore.toISOString()),
              ]),
            ),
        ),
      ),
    )
    .orderBy('filed_at')
    .limit(AT_ONCE);
  return selectIds(pending);
}
