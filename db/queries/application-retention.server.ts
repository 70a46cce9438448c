import type { ExpressionBuilder } from 'kysely';

import { type ApplicationState, NEVER_PAID, UNPAID } from '~/domain/application/states';
import type { Ending, NoticeLimits } from '~/domain/retention';
import type { Database, Schema } from '../schema';
import type { ApplicationRow } from './applications.server';
import { hasChanged } from './changed.server';

type Where = ExpressionBuilder<Schema, 'applications'>;

/** At most so many at once: others wait meanwhile, and to overwrite a photo takes up to 30 ms. */
const AT_ONCE = 5;

const ordersOf = (where: Where) =>
  where
    .selectFrom('orders')
    .select('orders.id')
    .whereRef('orders.application_id', '=', 'applications.id');

/** Whether there is an address to write to: that of the account, or of the traveller. */
const hasAddress = (where: Where) =>
  where.or([where('user_id', 'is not', null), where('email_sealed', 'is not', null)]);

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
  endingBefore(db, ending, ends).where((where) =>
    where.or([
      where('noticed_at', '<=', inTime.toISOString()),
      where.not(hasAddress(where)),
      where.and([where('noticed_at', 'is', null), where(ending.since, '<=', last.toISOString())]),
    ]),
  );

/** Unless an order waits for money still: that is cleared up with the payment provider first. */
export function listIdle(db: Database, ending: Ending, limits: NoticeLimits) {
  return due(db, ending, limits)
    .selectAll()
    .where((where) =>
      where.not(where.exists(ordersOf(where).where('orders.state', '=', 'created'))),
    )
    .limit(AT_ONCE)
    .execute();
}

export async function listDue(
  db: Database,
  ending: Ending,
  limits: NoticeLimits,
): Promise<string[]> {
  const rows = await due(db, ending, limits).select('id').limit(AT_ONCE).execute();
  return rows.map(({ id }) => id);
}

export async function isDue(db: Database, id: string, ending: Ending, limits: NoticeLimits) {
  const row = await due(db, ending, limits).select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Those whose owner can be told, and was not yet. */
export async function listNotNotified(
  db: Database,
  ending: Ending,
  since: Date,
): Promise<string[]> {
  const rows = await endingBefore(db, ending, since)
    .select('id')
    .where('noticed_at', 'is', null)
    .where(hasAddress)
    .execute();
  return rows.map(({ id }) => id);
}

/** @returns whether nobody had been told before: of two servers, one tells */
export function noteTold(db: Database, row: ApplicationRow, { states, since }: Ending, now: Date) {
  const untold = db
    .updateTable('applications')
    .set({ noticed_at: now.toISOString() })
    .where('id', '=', row.id)
    .where('state', 'in', states)
    .where('noticed_at', 'is', null)
    .where(since, '=', row[since]);
  return hasChanged(since === 'closed_at' ? untold.where('purged_at', 'is', null) : untold);
}

/** Takes that back: the mail cannot go today. */
export async function noteNotNotified(db: Database, id: string): Promise<void> {
  await db.updateTable('applications').set({ noticed_at: null }).where('id', '=', id).execute();
}

/**
 * Has whoever saves an untouched unpaid application wait for the end of this transaction. @returns
 * whether it is
 */
export function holdIdle(db: Database, id: string, since: Date) {
  return hasChanged(
    db
      .updateTable('applications')
      .set((row) => ({ version: row.ref('version') }))
      .where('id', '=', id)
      .where('state', 'in', UNPAID)
      .where('hold_reason', 'is', null)
      .where('updated_at', '<=', since.toISOString()),
  );
}

/** What hangs on an application and says something of its traveller or of the work on it. */
const CONTENTS = [
  'application_answers',
  'application_documents',
  'application_requests',
  'application_tasks',
  'application_amendments',
  'notes',
  'leads',
] as const;

export async function deleteContents(db: Database, id: string): Promise<void> {
  for (const table of CONTENTS) {
    await db.deleteFrom(table).where('application_id', '=', id).execute();
  }
}

export const EMPTIED = {
  citizenship: null,
  travel_date: null,
  name_sealed: null,
  email_sealed: null,
  email_index: null,
  passport_sealed: null,
  passport_index: null,
  person_index: null,
  official_number_sealed: null,
} as const;

/**
 * The row of an ended application stays for its orders; nobody opens it without an account any
 * more.
 */
export async function emptyApplication(db: Database, id: string, now: Date): Promise<void> {
  await db
    .updateTable('applications')
    .set({ ...EMPTIED, draft_token_hash: null, purged_at: now.toISOString() })
    .where('id', '=', id)
    .execute();
}

const emptiedBefore = (db: Database, instant: Date) =>
  db
    .selectFrom('applications')
    .select('id')
    .where('state', 'in', NEVER_PAID)
    .where('hold_reason', 'is', null)
    // What was paid, too late, is kept for the accounts; what waits for money may be paid still.
    .where((where) =>
      where.not(
        where.exists(
          ordersOf(where).where((order) =>
            order.or([
              order('orders.paid_at', 'is not', null),
              order('orders.state', '=', 'created'),
            ]),
          ),
        ),
      ),
    )
    .where('purged_at', '<=', instant.toISOString());

export async function listPurgedBefore(db: Database, instant: Date): Promise<string[]> {
  const rows = await emptiedBefore(db, instant).orderBy('purged_at').limit(AT_ONCE).execute();
  return rows.map(({ id }) => id);
}

export async function isPurgedBefore(db: Database, id: string, instant: Date): Promise<boolean> {
  const row = await emptiedBefore(db, instant).where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Deletes an application that is in one of some states, unless it is held. @returns whether it was */
export function deleteApplicationIn(db: Database, id: string, states: readonly ApplicationState[]) {
  return hasChanged(
    db
      .deleteFrom('applications')
      .where('id', '=', id)
      .where('state', 'in', states)
      .where('hold_reason', 'is', null),
  );
}

/** The messages about an application that were sent or kept: nothing of them leads to it any more. */
export async function forgetMessagesOfApplication(db: Database, id: string): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ application_id: null, parameters_sealed: null, rendered_sealed: null })
    .where('application_id', '=', id)
    .where('state', '!=', 'queued')
    .execute();
}
