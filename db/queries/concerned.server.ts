import type { Database } from '../schema';
import { within as isWithin } from './rows.server';

/**
 * The rows that have an address of whom something was made, changed or looked at within a time: accounts
 * of travellers, applications, orders, messages and withdrawals.
 */
export async function listConcerned(db: Database, from: Date, until: Date) {
  const within = (column: string) => isWithin(column, { from, to: until });
  const events = db.selectFrom('audit_events').where(within('at'));
  const subjects = events.select('subject_id').where('subject_id', 'is not', null);
  const actors = events.select('actor_id').where('actor_id', 'is not', null);
  const applications = db
    .selectFrom('applications')
    .where((where) =>
      where.or([where('id', 'in', subjects), within('created_at'), within('updated_at')]),
    );
  const owners = applications.select('user_id').where('user_id', 'is not', null);
  return {
    users: await db
      .selectFrom('users')
      .select(['email', 'language_code'])
      .where('kind', '=', 'traveller')
      .where((where) =>
        where.or([
          where('id', 'in', subjects),
          where('id', 'in', actors),
          where('id', 'in', owners),
          within('created_at'),
        ]),
      )
      .execute(),
    applications: await applications.select(['id', 'email_sealed', 'language_code']).execute(),
    orders: await db
      .selectFrom('orders')
      .select(['id', 'buyer_sealed', 'language_code'])
      .where((where) =>
        where.or([
          where('id', 'in', subjects),
          where('application_id', 'in', applications.select('id')),
          within('created_at'),
          within('paid_at'),
        ]),
      )
      .execute(),
    messages: await db
      .selectFrom('contact_messages')
      .select(['id', 'email_sealed', 'language_code'])
      .where((where) =>
        where.or([where('id', 'in', subjects), within('created_at'), within('closed_at')]),
      )
      .execute(),
    withdrawals: await db
      .selectFrom('withdrawals')
      .selectAll()
      .where((where) => where.or([where('id', 'in', subjects), within('received_at')]))
      .execute(),
  };
}
