import type { Insertable, Selectable } from 'kysely';

import type { RefundState } from '~/domain/order/states';
import type { Database, Schema } from '../schema';

export type RefundRow = Selectable<Schema['refunds']>;

export async function insertRefund(
  db: Database,
  row: Insertable<Schema['refunds']>,
): Promise<void> {
  await db.insertInto('refunds').values(row).execute();
}

export async function findRefund(db: Database, id: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function listRefundsOf(db: Database, orderId: string): Promise<RefundRow[]> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .execute();
}

export async function findRefundByProvider(
  db: Database,
  providerId: string,
): Promise<RefundRow | undefined> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('provider_refund_id', '=', providerId)
    .executeTakeFirst();
}

/** The ids of refunds that are approved; not of orders that a bank disputes. */
export async function listToSend(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select('refunds.id')
    .where('refunds.state', '=', 'approved')
    .where('orders.state', '!=', 'disputed')
    .where('orders.provider_payment_id', 'is not', null)
    .orderBy('refunds.approved_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The provider's ids of refunds that are on their way, the earliest first. */
export async function listOnTheirWay(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('refunds')
    .select('provider_refund_id')
    .where('state', '=', 'sent')
    .where('provider_refund_id', 'is not', null)
    .orderBy('sent_at')
    .limit(limit)
    .execute();
  return rows.flatMap(({ provider_refund_id: id }) => id ?? []);
}

export interface ListedRefund extends RefundRow {
  reference: string;
  currency: 'EUR' | 'USD';
}

/** The refunds in these states; those that are decided the latest first, the others the earliest. */
export async function listRefunds(
  db: Database,
  states: readonly RefundState[],
  { latestFirst = false, limit = 200 } = {},
): Promise<ListedRefund[]> {
  return db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select(['orders.reference', 'orders.currency'])
    .where('refunds.state', 'in', [...states])
    .orderBy('refunds.created_at', latestFirst ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}
