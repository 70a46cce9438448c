import { sql, type SqlBool } from 'kysely';

import type { Period } from '~/domain/day-period';
import type { Package } from '~/domain/offer';
import type { Database } from '../schema';
import { countIn, hasChanged, howMany, isThere, type Row, rowsIn, within } from './rows.server';

export type OrderRow = Row<'orders'>;

export const findOrder = (db: Database, id: string) => rowsIn(db).find('orders', { id });

export const findFulfilledOrder = (db: Database, application_id: string) =>
  rowsIn(db)
    .of('orders', { application_id })
    .where('fulfilled_at', 'is not', null)
    .executeTakeFirst();

export const findOpenOrder = (db: Database, application_id: string) =>
  rowsIn(db).find('orders', { application_id, state: 'created' });

export const findOrderByPayment = (db: Database, provider_payment_id: string) =>
  rowsIn(db).find('orders', { provider_payment_id });

export const listOrdersOf = (db: Database, application_id: string) =>
  rowsIn(db).of('orders', { application_id }).orderBy('created_at', 'desc').execute();

/** @returns false if it waits for money no longer, or has another page */
export function saveCheckoutSession(
  db: Database,
  id: string,
  session: { id: string; expiresAt: Date },
) {
  const session_expires_at = session.expiresAt.toISOString();
  const page = { provider_session_id: session.id, session_expires_at };
  return hasChanged(
    rowsIn(db)
      .update('orders', { id, state: 'created' }, page)
      .where((where) =>
        where('provider_session_id', 'is', null).or('provider_session_id', '=', session.id),
      ),
  );
}

/** Of two at the same moment, it is counted once. */
export async function incrementAttempt(db: Database, { id, attempt }: OrderRow): Promise<number> {
  await rowsIn(db)
    .update('orders', { id, attempt }, { attempt: attempt + 1 })
    .execute();
  const row = await findOrder(db, id);
  return row?.attempt ?? attempt + 1;
}

export const listOpenOrders = (db: Database) =>
  db
    .selectFrom('orders')
    .innerJoin('applications', 'applications.id', 'orders.application_id')
    .selectAll('orders')
    .select('applications.state as application_state')
    .where('orders.state', '=', 'created')
    .orderBy('orders.created_at')
    .execute();

/** Of a package, paid or waiting for money, of other applications. */
export const countSold = (db: Database, package_: Package, period: Period, without: string) =>
  countIn(
    rowsIn(db)
      .of('orders', { package: package_ })
      .where(within('created_at', period))
      .where('application_id', '!=', without)
      .where((where) => where('paid_at', 'is not', null).or('state', '=', 'created')),
  );

export const hasPaidOrder = (db: Database, application_id: string) =>
  isThere(rowsIn(db).of('orders', { application_id }).where('paid_at', 'is not', null).limit(1));

export const deleteUnpaidOrders = (db: Database, application_id: string) =>
  rowsIn(db)
    .delete('orders', { application_id, paid_at: null })
    .where('state', '!=', 'created')
    .execute();

export const lockOrder = (db: Database, id: string) => rowsIn(db).lock('orders', id);

export const listOrdersByReference = (db: Database, reference: string) =>
  rowsIn(db).of('orders', { reference }).orderBy('created_at', 'desc').execute();

export const listDisputed = (db: Database) =>
  rowsIn(db).of('orders', { state: 'disputed' }).orderBy('paid_at', 'desc').execute();

export type CorrectionRow = Row<'invoice_corrections'>;

/** Of these orders, the earliest first. */
export const listCorrections = async (db: Database, orderIds: readonly string[]) =>
  orderIds.length === 0
    ? []
    : rowsIn(db)
        .of('invoice_corrections')
        .where('order_id', 'in', [...new Set(orderIds)])
        .orderBy('corrected_at')
        .execute();

const AT_ONCE = 50;

export const listOrdersPaidBefore = (db: Database, instant: Date) =>
  db
    .selectFrom('orders')
    .innerJoin('applications', 'applications.id', 'orders.application_id')
    .select(['orders.id', 'orders.application_id'])
    .where('orders.paid_at', '<', instant.toISOString())
    .where('applications.hold_reason', 'is', null)
    .orderBy('orders.paid_at')
    .limit(AT_ONCE)
    .execute();

export async function deleteOrder(db: Database, id: string): Promise<void> {
  await rowsIn(db).delete('refunds', { order_id: id }).execute();
  await rowsIn(db).delete('withdrawals', { order_id: id }).execute();
  await rowsIn(db).delete('invoice_corrections', { order_id: id }).execute();
  await rowsIn(db).delete('orders', { id }).execute();
}

const hasNoOrder = (column: 'application_id' | 'terms_hash', of: string) =>
  sql<SqlBool>`not exists (select 1 from orders where ${sql.ref(`orders.${column}`)} = ${sql.ref(of)})`;

export const deleteEmptied = (db: Database, id: string) =>
  hasChanged(
    rowsIn(db)
      .delete('applications', { id })
      .where('purged_at', 'is not', null)
      .where(hasNoOrder('application_id', 'applications.id')),
  );

export const deleteUnusedTexts = (db: Database) =>
  db.deleteFrom('contract_texts').where(hasNoOrder('terms_hash', 'contract_texts.hash')).execute();

export const deleteWithdrawalsBefore = (db: Database, instant: Date) =>
  howMany(
    rowsIn(db)
      .delete('withdrawals', { order_id: null })
      .where('handled_at', '<', instant.toISOString()),
  );
