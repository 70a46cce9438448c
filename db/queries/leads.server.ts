import { NEVER_PAID, UNPAID } from '~/domain/application/states';
import type { LeadState } from '~/domain/leads';
import type { Database } from '../schema';
import type { ApplicationRow } from './applications.server';
import { type Row, type RowKey, beyond, hasChanged, rowsIn } from './rows.server';
import { staffName } from './staff.server';

export type LeadRow = Row<'leads'>;

export const findLead = (db: Database, id: string) => rowsIn(db).find('leads', { id });

export const findLeadOf = (db: Database, of: { application_id: string } | { message_id: string }) =>
  rowsIn(db).find('leads', of);

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
      ...(['applications.reference', 'applications.wants_reminder'] as const),
      'contact_messages.category',
      'contact_messages.message_sealed',
      staffName().as('assignee'),
      fn.coalesce('applications.language_code', 'contact_messages.language_code').as('language'),
    ])
    .where('leads.state', '=', state);
  if (assignedTo !== undefined) query = query.where('leads.assigned_to', '=', assignedTo);
  if (after) query = query.where(beyond(['leads.created_at', 'leads.id'], '<', after));
  return query
    .orderBy('leads.created_at', 'desc')
    .orderBy('leads.id', 'desc')
    .limit(limit)
    .execute();
}

/** By their id: two servers lock them in the same order. */
export const listEndedLeads = (db: Database, limit: number) =>
  db
    .selectFrom('leads')
    .innerJoin('applications', 'applications.id', 'leads.application_id')
    .selectAll('leads')
    .where('leads.state', 'in', ['new', 'contacted'])
    .where('applications.state', 'in', NEVER_PAID)
    .orderBy('leads.id')
    .limit(limit)
    .execute();

export const listToRemind = (
  db: Database,
  { first, second, between }: { first: Date; second: Date; between: Date },
  limit: number,
) =>
  rowsIn(db)
    .of('applications', { wants_reminder: 1 })
    .where('state', 'in', UNPAID)
    .where((where) => {
      const once = where('reminded_at', 'is', null).and('updated_at', '<=', first.toISOString());
      const again = where('reminded_at', '<=', between.toISOString());
      return where.or([once, again.and('updated_at', '<=', second.toISOString())]);
    })
    .orderBy('updated_at')
    .orderBy('id')
    .limit(limit)
    .execute();

/** With the last one the wish is granted. @returns whether nobody else has noted it */
export function noteReminderSent(
  db: Database,
  { id, reminded_at, updated_at }: ApplicationRow,
  { isLast }: { isLast: boolean },
  now: Date,
) {
  const known = { id, reminded_at, updated_at, wants_reminder: 1 } as const;
  const noted = { reminded_at: now.toISOString(), ...(isLast && { wants_reminder: 0 as const }) };
  return hasChanged(rowsIn(db).update('applications', known, noted).where('state', 'in', UNPAID));
}

/** @returns whether it was not ticked yet */
export function noteWish(db: Database, id: string, now: Date) {
  // They were here now: the days count from it.
  const changes = { reminded_at: null, updated_at: now.toISOString(), noticed_at: null };
  const wished = { ...changes, wants_reminder: 1 as const };
  const update = rowsIn(db).update('applications', { id, wants_reminder: 0 }, wished);
  return hasChanged(update.where('state', 'in', UNPAID));
}
