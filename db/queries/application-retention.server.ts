import type { ExpressionBuilder } from 'kysely';

import type { NoticeLimits } from '~/domain/application/retention';
import { type ApplicationState, NEVER_PAID, UNPAID } from '~/domain/application/states';
import type { Database, Schema } from '../schema';
import type { ApplicationRow } from './applications.server';

const ordersOf = (where: ExpressionBuilder<Schema, 'applications'>) =>
  where
    .selectFrom('orders')
    .select('orders.id')
    .whereRef('orders.application_id', '=', 'applications.id');

/** At most so many at once: others wait meanwhile, and to overwrite a photo takes up to 30 ms. */
const AT_ONCE = 5;

/** Whether there is an address to write to about an application: its account's, or its traveller's. */
export function hasAddress(where: ExpressionBuilder<Schema, 'applications'>) {
  return where.or([where('user_id', 'is not', null), where('email_sealed', 'is not', null)]);
}

/**
 * Whether the owner of an application had a week since the mail that it will be deleted; or has no
 * address; or could not be told for so long that it goes without.
 *
 * @param since the column from which its time counts
 */
export function hadNotice(
  where: ExpressionBuilder<Schema, 'applications'>,
  since: 'updated_at' | 'closed_at',
  { inTime, last }: Pick<NoticeLimits, 'inTime' | 'last'>,
) {
  return where.or([
    where('noticed_at', '<=', inTime.toISOString()),
    where.not(hasAddress(where)),
    where.and([where('noticed_at', 'is', null), where(since, '<=', last.toISOString())]),
  ]);
}

/**
 * Unpaid applications that nobody has touched for their time and whose owners had notice, unless they
 * are held, or an order of theirs waits for money still: that is cleared up with the payment provider
 * first.
 */
export async function listUntouched(db: Database, limits: NoticeLimits): Promise<ApplicationRow[]> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('state', 'in', UNPAID)
    .where('hold_reason', 'is', null)
    .where((where) =>
      where.not(where.exists(ordersOf(where).where('orders.state', '=', 'created'))),
    )
    .where('updated_at', '<=', limits.ends.toISOString())
    .where((where) => hadNotice(where, 'updated_at', limits))
    .orderBy('updated_at')
    .limit(AT_ONCE)
    .execute();
}

/** Unpaid applications that nobody has touched since an instant and whose owner can be told, and was not yet. */
export async function listUntold(db: Database, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('applications')
    .select('id')
    .where('state', 'in', UNPAID)
    .where('hold_reason', 'is', null)
    .where('noticed_at', 'is', null)
    .where(hasAddress)
    .where('updated_at', '<=', since.toISOString())
    .orderBy('updated_at')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Has whoever saves an application wait for the end of this transaction, if nobody has touched it since
 * an instant, and nobody holds it.
 *
 * @returns whether that is so still
 */
export async function holdUntouched(db: Database, id: string, since: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .where('state', 'in', UNPAID)
    .where('hold_reason', 'is', null)
    .where('updated_at', '<=', since.toISOString())
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Notes that the owner of an untouched application was told of its end.
 *
 * @returns whether nobody had been: of two servers, one tells
 */
export async function noteEndTold(
  db: Database,
  { id, updated_at }: Pick<ApplicationRow, 'id' | 'updated_at'>,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set({ noticed_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', 'in', UNPAID)
    .where('noticed_at', 'is', null)
    .where('updated_at', '=', updated_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes that back: the mail cannot go today. */
export async function noteEndUntold(db: Database, id: string): Promise<void> {
  await db.updateTable('applications').set({ noticed_at: null }).where('id', '=', id).execute();
}

/**
 * Empties the row of an application that has come to its end: it stays for its orders, and nobody opens
 * it without an account any more.
 */
export async function emptyApplication(db: Database, id: string, now: Date): Promise<void> {
  await db
    .updateTable('applications')
    .set({ ...EMPTIED, draft_token_hash: null, purged_at: now.toISOString() })
    .where('id', '=', id)
    .execute();
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

/** Deletes the answers and documents of an application, and all that staff wrote about it. */
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

/** Applications without a payment whose answers went before an instant, the earliest first. */
export async function listPurgedBefore(db: Database, instant: Date): Promise<string[]> {
  const rows = await emptiedBefore(db, instant).orderBy('purged_at').limit(AT_ONCE).execute();
  return rows.map(({ id }) => id);
}

/** Whether an application, as it was locked, is one of them still. */
export async function isPurgedBefore(db: Database, id: string, instant: Date): Promise<boolean> {
  const row = await emptiedBefore(db, instant).where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes an application that is in one of some states, with its answers and documents, unless it is
 * held.
 *
 * @returns whether it was there
 */
export async function deleteApplicationIn(
  db: Database,
  id: string,
  states: readonly ApplicationState[],
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('applications')
    .where('id', '=', id)
    .where('state', 'in', states)
    .where('hold_reason', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
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

/** What is known of an application's documents without opening them. */
export async function listDocumentFacts(db: Database, applicationId: string) {
  return db
    .selectFrom('application_documents')
    .select(['kind', 'media_type', 'byte_count', 'created_at'])
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .execute();
}
