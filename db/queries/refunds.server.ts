import type { RefundState } from '~/domain/order/states';
import type { Database } from '../schema';
import { type Row, selectIds, rowsIn } from './rows.server';

export type RefundRow = Row<'refunds'>;

export const findRefund = (db: Database, id: string) => rowsIn(db).find('refunds', { id });

export const listRefundsOf = (db: Database, order_id: string) =>
  rowsIn(db).of('refunds', { order_id }).orderBy('created_at').execute();

export const listToSend = (db: Database, limit: number) =>
  selectIds(
    db
      .selectFrom('refunds')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .select('refunds.id')
      .where('refunds.state', '=', 'approved')
      .where('orders.state', '!=', 'disputed')
      .where('orders.provider_payment_id', 'is not', null)
      .orderBy('refunds.approved_at')
      .limit(limit),
  );

export async function listOnTheirWay(db: Database, limit: number): Promise<string[]> {
  const rows = await rowsIn(db)
    .of('refunds', { state: 'sent' })
    .where('provider_refund_id', 'is not', null)
    .orderBy('sent_at')
    .limit(limit)
    .execute();
  return rows.flatMap(({ provider_refund_id: id }) => id ?? []);
}

export type ListedRefund = Awaited<ReturnType<typeof listRefunds>>[number];

export const listRefunds = (
  db: Database,
  states: readonly RefundState[],
  { latestFirst = false, limit = 200 } = {},
) =>
  db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select(['orders.reference', 'orders.currency', 'application_id', 'buyer_sealed'])
    .select('orders.state as order_state')
    .where('refunds.state', 'in', states)
    .orderBy('refunds.created_at', latestFirst ? 'desc' : 'asc')
    .limit(limit)
    .execute();
