import type { ExpressionBuilder } from 'kysely';

import type { Database, Schema } from '../schema';
import { isNotHeld } from './applications.server';
import { within as isWithin } from './rows.server';

const isTo =
  (userId: string, toIndexes: string[]) => (where: ExpressionBuilder<Schema, 'outbox'>) =>
    where.or([
      where('user_id', '=', userId),
      where.and([where('user_id', 'is', null), where('to_index', 'in', toIndexes)]),
    ]);

export async function listAccountRecords(db: Database, userId: string, toIndexes: string[]) {
  const messages = await db
    .selectFrom('outbox')
    .select(['channel', 'kind', 'created_at', 'sent_at'])
    .where(isTo(userId, toIndexes))
    .orderBy('created_at')
    .execute();
  const events = await db
    .selectFrom('audit_events')
    .select(['at', 'actor_kind', 'action', 'subject_type', 'details'])
    .where((where) => where('actor_id', '=', userId).or('subject_id', '=', userId))
    .orderBy('at')
    .execute();
  const removals = await db
    .selectFrom('factor_removals')
    .select(['requested_at', 'due_at'])
    .where('user_id', '=', userId)
    .execute();
  return { messages, events, removals };
}

/** What was sent about an application that is held stays. */
export const deleteMessagesOf = (db: Database, userId: string, toIndexes: string[]) =>
  db
    .deleteFrom('outbox')
    .where(isTo(userId, toIndexes))
    .where((where) => where('state', '=', 'queued').or(isNotHeld('outbox.application_id')))
    .execute();

/** The rows that have an address of whom something was made, changed or looked at within a time. */
export async function listConcerned(db: Database, from: Date, until: Date) {
  const within = (column: string) => isWithin(column, { from, to: until });
  const events = db.selectFrom('audit_events').where(within('at'));
  const subjects = events.select('subject_id').where('subject_id', 'is not', null);
  const actors = events.select('actor_id').where('actor_id', 'is not', null);
  const applications = db
    .selectFrom('applications')
    .where((where) =>
      where('id', 'in', subjects).or(within('created_at')).or(within('updated_at')),
    );
  const owners = applications.select('user_id').where('user_id', 'is not', null);
  return {
    users: await db
      .selectFrom('users')
      .select(['email', 'language_code'])
      .where('kind', '=', 'traveller')
      .where((where) => {
        const known = where('id', 'in', subjects).or('id', 'in', actors).or('id', 'in', owners);
        return known.or(within('created_at'));
      })
      .execute(),
    applications: await applications.select(['id', 'email_sealed', 'language_code']).execute(),
    orders: await db
      .selectFrom('orders')
      .select(['id', 'buyer_sealed', 'language_code'])
      .where((where) => {
        const known = where('id', 'in', subjects);
        const ofThem = known.or('application_id', 'in', applications.select('id'));
        return ofThem.or(within('created_at')).or(within('paid_at'));
      })
      .execute(),
    messages: await db
      .selectFrom('contact_messages')
      .select(['id', 'email_sealed', 'language_code'])
      .where((where) =>
        where('id', 'in', subjects).or(within('created_at')).or(within('closed_at')),
      )
      .execute(),
    withdrawals: await db
      .selectFrom('withdrawals')
      .selectAll()
      .where((where) => where('id', 'in', subjects).or(within('received_at')))
      .execute(),
  };
}
