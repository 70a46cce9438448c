/** What a month came to, read by the instants that have an index. */
import { sql, type SqlBool } from 'kysely';

import type { Period } from '~/domain/day-period';
import type { Database } from '../schema';
import { within } from './rows.server';

export async function sumPaid(db: Database, period: Period) {
  const sums = await db
    .selectFrom('orders')
    .select((row) => [
      ...(['package', 'language_code', 'currency'] as const),
      row.fn.countAll().as('count'),
      row.fn.sum('amount_cents').as('cents'),
    ])
    .where(within('paid_at', period))
    .groupBy(['package', 'language_code', 'currency'])
    .execute();
  return sums.map((sum) => ({ ...sum, count: Number(sum.count), cents: Number(sum.cents) }));
}
export type PaidSum = Awaited<ReturnType<typeof sumPaid>>[number];

/** By the country of the passport; without a code where it is deleted. */
export async function countPassports(db: Database, period: Period) {
  const counts = await db
    .selectFrom('orders')
    .innerJoin('applications', 'applications.id', 'orders.application_id')
    .select((row) => ['applications.citizenship as code', row.fn.countAll().as('count')])
    .where(within('orders.paid_at', period))
    .groupBy('applications.citizenship')
    .execute();
  return counts.map(({ code, count }) => ({ code, count: Number(count) }));
}

export const listFilings = (db: Database, period: Period) =>
  db
    .selectFrom('applications')
    .select(['package', 'starts_at as from', 'due_at as due'])
    // What comes after it was entered, the fee, is not ours to hurry.
    .select((row) => row.fn.coalesce('entered_at', 'filed_at').as('done'))
    .where(within('filed_at', period))
    .execute();

export const listChecked = (db: Database, period: Period) =>
  db
    .selectFrom('audit_events')
    .innerJoin('applications', 'applications.id', 'audit_events.subject_id')
    .select(['package', 'starts_at as from', 'due_at as due', 'audit_events.at as done'])
    .where('audit_events.action', '=', 'application.moved')
    .where(within('audit_events.at', period))
    .where('audit_events.details', 'like', '{"event":"check",%')
    .execute();

/** When messages came, and were answered first. */
export const listAnswered = (db: Database, period: Period) =>
  db
    .selectFrom('audit_events')
    .innerJoin('audit_events as received', 'received.subject_id', 'audit_events.subject_id')
    .select(['received.at as from', 'audit_events.at as done'])
    .where('audit_events.action', '=', 'message.answered')
    .where('received.action', '=', 'message.received')
    .where(within('audit_events.at', period))
    .where(
      sql<SqlBool>`not exists (select 1 from audit_events as earlier
        where earlier.subject_id = audit_events.subject_id
        and earlier.action = 'message.answered' and earlier.at < audit_events.at)`,
    )
    .execute();

export const listFiled = (db: Database, period: Period) =>
  db
    .selectFrom('applications')
    .select(['filed_at', 'closed_at'])
    .where(within('filed_at', period))
    .execute();

/** The states that decisions have led to, as they stand, one for each. */
export async function listOutcomes(db: Database, period: Period): Promise<string[]> {
  // Not grouped: to have them in the order of their states, SQLite would read all applications.
  const rows = await db
    .selectFrom('applications')
    .select('state')
    .where(within('decided_at', period))
    .execute();
  return rows.map(({ state }) => state);
}
