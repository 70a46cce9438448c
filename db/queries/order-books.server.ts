import { sql } from 'kysely';

import type { Period } from '~/domain/day-period';
import type { Database } from '../schema';
import { type RowKey, beyond, rowsIn, within } from './rows.server';

const ORDER_COLUMNS = [
  'orders.id',
  'orders.reference',
  'orders.state',
  'orders.package',
  'orders.amount_cents',
  'orders.currency',
  'orders.vat_rate',
  'orders.vat_country',
  'orders.vat_note',
  'orders.eur_rate',
  'orders.language_code',
  'orders.buyer_sealed',
  'orders.invoice_number',
  'orders.provider_payment_id',
  'orders.paid_at',
] as const;

export async function listPaidOrders(
  db: Database,
  period: Period,
  after: RowKey | undefined,
  limit: number,
) {
  let query = db.selectFrom('orders').select(ORDER_COLUMNS).where(within('paid_at', period));
  if (after) query = query.where(beyond(['paid_at', 'id'], '>', after));
  return query.orderBy('paid_at').orderBy('id').limit(limit).execute();
}
export type PaidOrder = Awaited<ReturnType<typeof listPaidOrders>>[number];

/** Disputes that were lost among them. */
export async function listSentRefunds(
  db: Database,
  period: Period,
  after: RowKey | undefined,
  limit: number,
) {
  let query = db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select(ORDER_COLUMNS)
    .select([
      'refunds.id as refund_id',
      'refunds.kind as kind',
      'refunds.state as refund_state',
      'refunds.amount_cents as refund_cents',
      'refunds.credit_note_number',
      'refunds.provider_refund_id',
      'refunds.sent_at',
      'refunds.settled_at',
    ])
    .where(within('refunds.sent_at', period));
  if (after) query = query.where(beyond(['refunds.sent_at', 'refunds.id'], '>', after));
  return query.orderBy('refunds.sent_at').orderBy('refunds.id').limit(limit).execute();
}
export type SentRefund = Awaited<ReturnType<typeof listSentRefunds>>[number];

export async function listCreditNotes(db: Database, orderIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return rowsIn(db)
    .of('refunds')
    .where('order_id', 'in', [...new Set(orderIds)])
    .where('credit_note_number', 'is not', null)
    .execute();
}

export const listCorrectedOrders = (db: Database, period: Period) =>
  db
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where((order) =>
      order(
        'id',
        'in',
        order
          .selectFrom('invoice_corrections')
          .select('order_id')
          .where(within('corrected_at', period)),
      ),
    )
    .execute();

/** `failed`: it came back, or has not gone again yet. */
export async function sumRefunds(db: Database, period: Period) {
  const failed = sql<number>`case when refunds.state in ('sent', 'settled') then 0 else 1 end`;
  const sums = await db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select((row) => [
      'orders.currency',
      'refunds.kind',
      failed.as('failed'),
      row.fn.countAll().as('count'),
      row.fn.sum('refunds.amount_cents').as('cents'),
    ])
    .where(within('refunds.sent_at', period))
    .groupBy(['orders.currency', 'refunds.kind', failed])
    .execute();
  return sums.map((sum) => ({
    ...sum,
    failed: Number(sum.failed) === 1,
    count: Number(sum.count),
    cents: Number(sum.cents),
  }));
}

export async function firstPaidAt(db: Database): Promise<string | undefined> {
  const row = await rowsIn(db)
    .of('orders')
    .where('paid_at', 'is not', null)
    .orderBy('paid_at')
    .limit(1)
    .executeTakeFirst();
  return row?.paid_at ?? undefined;
}
