import type { ExpressionBuilder } from 'kysely';

import { type ApplicationState, NEVER_PAID, UNPAID } from '~/domain/application/states';
import type { Ending, NoticeLimits } from '~/domain/retention';
import type { Database, Schema } from '../schema';
import type { ApplicationRow } from './applications.server';
import { hasChanged, selectIds, isThere, rowsIn } from './rows.server';

type Where = ExpressionBuilder<Schema, 'applications'>;

/** At most so many at once: others wait meanwhile, and to overwrite a photo takes up to 30 ms. */
const AT_ONCE = 5;

const ordersOf = (where: Where) =>
  where
    .selectFrom('orders')
    .select('orders.id')
    .whereRef('orders.application_id', '=', 'applications.id');

const hasAddress = (where: Where) =>
  where('user_id', 'is not', null).or('email_sealed', 'is not', null);

/** The applications of an ending that were left alone, or have ended, since before an instant. */
function endingBefore(db: Database, { states, since }: Ending, instant: Date) {
  const found = db
    .selectFrom('applications')
    .where('state', 'in', states)
    .where('hold_reason', 'is', null)
    .where(since, '<=', instant.toISOString())
    .orderBy(since);
  // Emptied, an ended one stays in its state.
  return since === 'closed_at' ? found.where('purged_at', 'is', null) : found;
}

/** Whose owner had a week since the mail; or has no address; or could not be told for so long. */
const due = (db: Database, ending: Ending, { ends, inTime, last }: NoticeLimits) =>
  endingBefore(db, ending, ends).where((where) => {
    const wasNeverTold = where('noticed_at', 'is', null).and(
      ending.since,
      '<=',
      last.toISOString(),
    );
    const wasTold = where('noticed_at', '<=', inTime.toISOString());
    return wasTold.or(where.not(hasAddress(where))).or(wasNeverTold);
  });

/** Unless an order waits for money still: that is cleared up with the payment provider first. */
export const listIdle = (db: Database, ending: Ending, limits: NoticeLimits) =>
  due(db, ending, limits)
    .selectAll()
    .where((where) =>
      where.not(where.exists(ordersOf(where).where('orders.state', '=', 'created'))),
    )
    .limit(AT_ONCE)
    .execute();

export const listDueNotices = (db: Database, ending: Ending, limits: NoticeLimits) =>
  selectIds(due(db, ending, limits).select('id').limit(AT_ONCE));

export const isDue = (db: Database, id: string, ending: Ending, limits: NoticeLimits) =>
  isThere(due(db, ending, limits).select('id').where('id', '=', id));

export const listNotNotified = (db: Database, ending: Ending, since: Date) =>
  selectIds(
    endingBefore(db, ending, since).select('id').where('noticed_at', 'is', null).where(hasAddress),
  );

export function noteNotified(db: Database, row: ApplicationRow, ending: Ending, now: Date) {
  const { states, since } = ending;
  const known = { id: row.id, noticed_at: null, ...(since === 'closed_at' && { purged_at: null }) };
  return hasChanged(
    rowsIn(db)
      .update('applications', known, { noticed_at: now.toISOString() })
      .where('state', 'in', states)
      .where(since, '=', row[since]),
  );
}

/** Whoever saves it waits for the end of this transaction. */
export const holdIdle = (db: Database, id: string, since: Date) =>
  hasChanged(
    db
      .updateTable('applications')
      .set((row) => ({ version: row.ref('version') }))
      .where('id', '=', id)
      .where('state', 'in', UNPAID)
      .where('hold_reason', 'is', null)
      .where('updated_at', '<=', since.toISOString()),
  );

/** What hangs on an application and says something of its traveller or of the work on it. */
const CONTENTS = [
  'application_answers',
  'application_documents',
  'application_requests',
  'application_amendments',
  'notes',
  'contact_replies',
  'leads',
] as const;

export async function deleteContents(db: Database, id: string, isLooked = false): Promise<void> {
  const tasks = rowsIn(db).delete('application_tasks', { application_id: id });
  await (isLooked ? tasks.where('kind', '!=', 'look') : tasks).execute();
  for (const table of CONTENTS) {
    await db.deleteFrom(table).where('application_id', '=', id).execute();
  }
}

const NOT_LOOKED_AT = { citizenship: null, travel_date: null, person_index: null } as const;

export const EMPTIED = {
  ...NOT_LOOKED_AT,
  look_on: null,
  birth_sealed: null,
  name_sealed: null,
  family_index: null,
  email_sealed: null,
  email_index: null,
  passport_sealed: null,
  passport_index: null,
  official_number_sealed: null,
  official_index: null,
  code_sealed: null,
} as const;

/** The row of an ended application stays for its orders. */
export function emptyApplication(db: Database, id: string, now: Date, isLooked = false) {
  const emptied = { draft_token_hash: null, purged_at: now.toISOString() };
  const all = { ...(isLooked ? NOT_LOOKED_AT : EMPTIED), ...emptied };
  return rowsIn(db).update('applications', { id }, all).execute();
}

export const listOverLooks = (db: Database, day: string) =>
  selectIds(
    rowsIn(db)
      .of('applications', { hold_reason: null })
      .clearSelect()
      .select('id')
      .where('purged_at', 'is not', null)
      .where('look_on', '<', day)
      .limit(AT_ONCE),
  );

const emptiedBefore = (db: Database, instant: Date) =>
  db
    .selectFrom('applications')
    .select('id')
    .where('state', 'in', NEVER_PAID)
    .where('hold_reason', 'is', null)
    // What was paid, too late, is kept for the accounts; what waits for money may be paid still.
    .where((where) => {
      const orders = ordersOf(where).where((order) =>
        order('orders.paid_at', 'is not', null).or('orders.state', '=', 'created'),
      );
      return where.not(where.exists(orders));
    })
    .where('purged_at', '<=', instant.toISOString());

export const listPurgedBefore = (db: Database, instant: Date) =>
  selectIds(emptiedBefore(db, instant).orderBy('purged_at').limit(AT_ONCE));

export const isPurgedBefore = (db: Database, id: string, instant: Date) =>
  isThere(emptiedBefore(db, instant).where('id', '=', id));

export function deleteApplicationIn(db: Database, id: string, states: readonly ApplicationState[]) {
  const application = rowsIn(db).delete('applications', { id, hold_reason: null });
  return hasChanged(application.where('state', 'in', states));
}

export function forgetMessagesOfApplication(db: Database, id: string) {
  const forgotten = { application_id: null, parameters_sealed: null, rendered_sealed: null };
  const messages = rowsIn(db).update('outbox', { application_id: id }, forgotten);
  return messages.where('state', '!=', 'queued').execute();
}
