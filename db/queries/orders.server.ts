import type { ApplicationState } from '~/domain/application/states';
import type { Database } from '../schema';
import { type Row, hasChanged, isThere, rowsIn } from './rows.server';

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

/**
 * Keeps the page where an order that waits for money is paid. @returns false if it waits no longer, or has
 * another page
 */
export function saveCheckoutSession(
  db: Database,
  id: string,
  session: { id: string; expiresAt: Date },
): Promise<boolean> {
  const page = {
    provider_session_id: session.id,
    session_expires_at: session.expiresAt.toISOString(),
  };
  return hasChanged(
    rowsIn(db)
      .update('orders', { id, state: 'created' }, page)
      .where((where) =>
        where.or([
          where('provider_session_id', 'is', null),
          where('provider_session_id', '=', session.id),
        ]),
      ),
  );
}

/** Counts one more page of an order that has none yet; of two at the same moment, it is counted once. */
export async function incrementAttempt(
  db: Database,
  { id, attempt }: Pick<OrderRow, 'id' | 'attempt'>,
): Promise<number> {
  await rowsIn(db)
    .update('orders', { id, attempt }, { attempt: attempt + 1 })
    .execute();
  const row = await findOrder(db, id);
  return row?.attempt ?? attempt + 1;
}

/** The orders that wait for money, with the state of their applications; the earliest first. */
export const listOpenOrders = (
  db: Database,
): Promise<(OrderRow & { application_state: ApplicationState })[]> =>
  db
    .selectFrom('orders')
    .innerJoin('applications', 'applications.id', 'orders.application_id')
    .selectAll('orders')
    .select('applications.state as application_state')
    .where('orders.state', '=', 'created')
    .orderBy('orders.created_at')
    .execute();

/** Whether money came for an application, whatever has become of it. */
export const hasPaidOrder = (db: Database, application_id: string) =>
  isThere(rowsIn(db).of('orders', { application_id }).where('paid_at', 'is not', null).limit(1));

/** Deletes the orders of an application for which no money came, and that wait for none. */
export const deleteUnpaidOrders = (db: Database, application_id: string) =>
  rowsIn(db)
    .delete('orders', { application_id, paid_at: null })
    .where('state', '!=', 'created')
    .execute();

/** An order as it is now; whoever else changes it or its refunds waits for the end of this transaction. */
export const lockOrder = (db: Database, id: string) => rowsIn(db).lock('orders', id);

/** The orders of a reference, the latest first; the application may be gone before they are. */
export const listOrdersByReference = (db: Database, reference: string) =>
  rowsIn(db).of('orders', { reference }).orderBy('created_at', 'desc').execute();

export const listDisputed = (db: Database) =>
  rowsIn(db).of('orders', { state: 'disputed' }).orderBy('paid_at', 'desc').execute();
