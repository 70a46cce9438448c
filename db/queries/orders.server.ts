import type { Insertable, Selectable } from 'kysely';

import type { ApplicationState } from '~/domain/application/states';
import type { Database, Schema } from '../schema';

export type OrderRow = Selectable<Schema['orders']>;

const orders = (db: Database) => db.selectFrom('orders').selectAll();

/** Adds an order that waits for money. @returns false if another of the application waits already */
export async function insertOrder(
  db: Database,
  row: Insertable<Schema['orders']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('orders')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function findOrder(db: Database, id: string): Promise<OrderRow | undefined> {
  return orders(db).where('id', '=', id).executeTakeFirst();
}

export async function findFulfilledOrder(
  db: Database,
  applicationId: string,
): Promise<OrderRow | undefined> {
  return orders(db)
    .where('application_id', '=', applicationId)
    .where('fulfilled_at', 'is not', null)
    .executeTakeFirst();
}

export async function findOpenOrder(
  db: Database,
  applicationId: string,
): Promise<OrderRow | undefined> {
  return orders(db)
    .where('application_id', '=', applicationId)
    .where('state', '=', 'created')
    .executeTakeFirst();
}

export async function listOrdersOf(db: Database, applicationId: string): Promise<OrderRow[]> {
  return orders(db)
    .where('application_id', '=', applicationId)
    .orderBy('created_at', 'desc')
    .execute();
}

/**
 * Keeps the page where an order that waits for money is paid. @returns false if it waits no longer, or has
 * another page
 */
export async function saveCheckoutSession(
  db: Database,
  id: string,
  session: { id: string; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({
      provider_session_id: session.id,
      session_expires_at: session.expiresAt.toISOString(),
    })
    .where('id', '=', id)
    .where('state', '=', 'created')
    .where((where) =>
      where.or([
        where('provider_session_id', 'is', null),
        where('provider_session_id', '=', session.id),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts one more page of an order that has none yet; of two at the same moment, it is counted once. */
export async function incrementAttempt(
  db: Database,
  { id, attempt }: Pick<OrderRow, 'id' | 'attempt'>,
): Promise<number> {
  await db
    .updateTable('orders')
    .set({ attempt: attempt + 1 })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .execute();
  const row = await findOrder(db, id);
  return row?.attempt ?? attempt + 1;
}

/** The orders that wait for money, with the state of their applications; the earliest first. */
export async function listOpenOrders(
  db: Database,
): Promise<(OrderRow & { application_state: ApplicationState })[]> {
  return db
    .selectFrom('orders')
    .innerJoin('applications', 'applications.id', 'orders.application_id')
    .selectAll('orders')
    .select('applications.state as application_state')
    .where('orders.state', '=', 'created')
    .orderBy('orders.created_at')
    .execute();
}

/** Whether money came for an application, whatever has become of it. */
export async function hasPaidOrder(db: Database, applicationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('paid_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the orders of an application for which no money came, and that wait for none. */
export async function deleteUnpaidOrders(db: Database, applicationId: string): Promise<void> {
  await db
    .deleteFrom('orders')
    .where('application_id', '=', applicationId)
    .where('paid_at', 'is', null)
    .where('state', '!=', 'created')
    .execute();
}

/** An order as it is now; whoever else changes it or its refunds waits for the end of this transaction. */
export async function lockOrder(db: Database, id: string): Promise<OrderRow | undefined> {
  return db
    .updateTable('orders')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function insertContractText(
  db: Database,
  row: Insertable<Schema['contract_texts']>,
): Promise<void> {
  await db
    .insertInto('contract_texts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findContractText(db: Database, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('contract_texts')
    .select('text')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.text;
}

/** The orders of a reference, the latest first; the application may be gone before they are. */
export async function listOrdersByReference(db: Database, reference: string): Promise<OrderRow[]> {
  return orders(db).where('reference', '=', reference).orderBy('created_at', 'desc').execute();
}

export async function findOrderByPayment(
  db: Database,
  paymentId: string,
): Promise<OrderRow | undefined> {
  return orders(db).where('provider_payment_id', '=', paymentId).executeTakeFirst();
}

export async function listDisputed(db: Database): Promise<OrderRow[]> {
  return orders(db).where('state', '=', 'disputed').orderBy('paid_at', 'desc').execute();
}
