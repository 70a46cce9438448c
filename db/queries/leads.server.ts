import type { Selectable } from 'kysely';

import { NEVER_PAID, UNPAID } from '~/domain/application/states';
import type { LeadState } from '~/domain/leads';
import type { Database, Schema } from '../schema';
import type { ApplicationRow } from './applications.server';
import type { RowKey } from './versioned-rows.server';

export type LeadRow = Selectable<Schema['leads']>;

export const findLead = (db: Database, id: string) =>
  db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();

export function findLeadOf(db: Database, of: { application: string } | { message: string }) {
  const query = db.selectFrom('leads').selectAll();
  return 'application' in of
    ? query.where('application_id', '=', of.application).executeTakeFirst()
    : query.where('message_id', '=', of.message).executeTakeFirst();
}

/** The leads in a state, the latest first; with `assignedTo` those that somebody has taken. */
export function listLeads(
  db: Database,
  asked: { state: LeadState; assignedTo?: string; after: RowKey | undefined; limit: number },
) {
  const { state, assignedTo, after, limit } = asked;
  let query = db
    .selectFrom('leads')
    .leftJoin('applications', 'applications.id', 'leads.application_id')
    .leftJoin('contact_messages', 'contact_messages.id', 'leads.message_id')
    .leftJoin('users', 'users.id', 'leads.assigned_to')
    .selectAll('leads')
    .select(({ fn }) => [
      'applications.reference',
      'contact_messages.category',
      'users.email as assignee',
      fn.coalesce('applications.language_code', 'contact_messages.language_code').as('language'),
    ])
    .where('leads.state', '=', state);
  if (assignedTo !== undefined) query = query.where('leads.assigned_to', '=', assignedTo);
  if (after) {
    query = query.where((where) =>
      where(where.refTuple('leads.created_at', 'leads.id'), '<', where.tuple(after.at, after.id)),
    );
  }
  return query
    .orderBy('leads.created_at', 'desc')
    .orderBy('leads.id', 'desc')
    .limit(limit)
    .execute();
}

/** Leads of applications that have ended unpaid, and are open still. */
export async function listEndedLeads(db: Database, limit: number): Promise<LeadRow[]> {
  return (
    db
      .selectFrom('leads')
      .innerJoin('applications', 'applications.id', 'leads.application_id')
      .selectAll('leads')
      .where('leads.state', 'in', ['new', 'contacted'])
      .where('applications.state', 'in', NEVER_PAID)
      // Two servers lock them in the same order.
      .orderBy('leads.id')
      .limit(limit)
      .execute()
  );
}

/** Unpaid applications whose owners want to be reminded, and which are left alone for long enough. */
export async function listToRemind(
  db: Database,
  { first, second, between }: { first: Date; second: Date; between: Date },
  limit: number,
): Promise<ApplicationRow[]> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('wants_reminder', '=', 1)
    .where('state', 'in', UNPAID)
    .where((where) =>
      where.or([
        where.and([
          where('reminded_at', 'is', null),
          where('updated_at', '<=', first.toISOString()),
        ]),
        where.and([
          where('reminded_at', '<=', between.toISOString()),
          where('updated_at', '<=', second.toISOString()),
        ]),
      ]),
    )
    .orderBy('updated_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Notes a reminder; with the last one the wish is granted. @returns whether nobody else has */
export async function noteReminded(
  db: Database,
  { id, reminded_at, updated_at }: Pick<ApplicationRow, 'id' | 'reminded_at' | 'updated_at'>,
  { isLast }: { isLast: boolean },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    .set({ reminded_at: now.toISOString(), ...(isLast && { wants_reminder: 0 }) })
    .where('id', '=', id)
    .where('state', 'in', UNPAID)
    .where('wants_reminder', '=', 1)
    .where('updated_at', '=', updated_at)
    .where('reminded_at', reminded_at === null ? 'is' : '=', reminded_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes that back: the mail cannot go today. */
export async function noteNotReminded(
  db: Database,
  { id, reminded_at }: Pick<ApplicationRow, 'id' | 'reminded_at'>,
): Promise<void> {
  await db
    .updateTable('applications')
    .set({ reminded_at, wants_reminder: 1 })
    .where('id', '=', id)
    .execute();
}

/** The owner of an unpaid application ticks "remind me". @returns whether they had not */
export async function noteWish(db: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('applications')
    // They were here now: the days count from it.
    .set({
      wants_reminder: 1,
      reminded_at: null,
      updated_at: now.toISOString(),
      noticed_at: null,
    })
    .where('id', '=', id)
    .where('state', 'in', UNPAID)
    .where('wants_reminder', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function forgetWish(db: Database, id: string): Promise<void> {
  await db.updateTable('applications').set({ wants_reminder: 0 }).where('id', '=', id).execute();
}

/** Deletes the mails of these kinds about an application that have not been sent yet. */
export async function deleteQueuedKinds(
  db: Database,
  applicationId: string,
  kinds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('application_id', '=', applicationId)
    .where('kind', 'in', [...kinds])
    .where('state', '=', 'queued')
    .execute();
}
