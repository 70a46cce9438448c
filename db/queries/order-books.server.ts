import { sql } from 'kysely';

import type { Currency } from '~/domain/offer';
import type { RefundKind } from '~/domain/order/states';
import type { Database } from '../schema';

/** From the first instant, and before the second. */
export interface Period {
  from: Date;
  to: Date;
}

export interface Place {
  at: string;
  id: string;
}

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

/** The orders that were paid in a period, the earliest first; a part at a time. */
export async function listPaidOrders(
  db: Database,
  { from, to }: Period,
  after: Place | undefined,
  limit: number,
) {
  let query = db
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where('paid_at', '>=', from.toISOString())
    .where('paid_at', '<', to.toISOString());
  if (after) {
    query = query.where((where) =>
      where(where.refTuple('paid_at', 'id'), '>', where.tuple(after.at, after.id)),
    );
  }
  return query.orderBy('paid_at').orderBy('id').limit(limit).execute();
}
export type PaidOrder = Awaited<ReturnType<typeof listPaidOrders>>[number];

/** The refunds that were sent in a period, disputes that were lost among them, the earliest first. */
export async function listSentRefunds(
  db: Database,
  { from, to }: Period,
  after: Place | undefined,
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
    .where('refunds.sent_at', '>=', from.toISOString())
    .where('refunds.sent_at', '<', to.toISOString());
  if (after) {
    query = query.where((where) =>
      where(where.refTuple('refunds.sent_at', 'refunds.id'), '>', where.tuple(after.at, after.id)),
    );
  }
  return query.orderBy('refunds.sent_at').orderBy('refunds.id').limit(limit).execute();
}
export type SentRefund = Awaited<ReturnType<typeof listSentRefunds>>[number];

/** All credit notes of these orders, whenever they were sent. */
export async function listCreditNotes(db: Database, orderIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return db
    .selectFrom('refunds')
    .select(['order_id', 'credit_note_number', 'sent_at', 'amount_cents'])
    .where('order_id', 'in', [...new Set(orderIds)])
    .where('credit_note_number', 'is not', null)
    .execute();
}

interface Sum {
  currency: Currency;
  count: number;
  cents: number;
}

/** What was paid in a period, added up by the database. */
export async function sumPayments(db: Database, { from, to }: Period): Promise<Sum[]> {
  const sums = await db
    .selectFrom('orders')
    .select((row) => [
      'currency',
      row.fn.countAll().as('count'),
      row.fn.sum('amount_cents').as('cents'),
    ])
    .where('paid_at', '>=', from.toISOString())
    .where('paid_at', '<', to.toISOString())
    .groupBy('currency')
    .execute();
  return sums.map(({ currency, count, cents }) => ({
    currency,
    count: Number(count),
    cents: Number(cents),
  }));
}

/** What was given back in a period, by its kind; `failed`: it came back, or has not gone again yet. */
export async function sumRefunds(
  db: Database,
  { from, to }: Period,
): Promise<(Sum & { kind: RefundKind; failed: boolean })[]> {
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
    .where('refunds.sent_at', '>=', from.toISOString())
    .where('refunds.sent_at', '<', to.toISOString())
    .groupBy(['orders.currency', 'refunds.kind', failed])
    .execute();
  return sums.map(({ currency, kind, failed: state, count, cents }) => ({
    currency,
    kind,
    failed: Number(state) === 1,
    count: Number(count),
    cents: Number(cents),
  }));
}

/** When the first order was paid; undefined if none was. */
export async function firstPaidAt(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('orders')
    .select('paid_at')
    .where('paid_at', 'is not', null)
    .orderBy('paid_at')
    .limit(1)
    .executeTakeFirst();
  return row?.paid_at ?? undefined;
}
