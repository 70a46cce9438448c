import type { ProviderRefund } from '~/payment/provider.server';
import type { Database } from '~db/schema';
import { takeDocumentNumber } from './numbers.server';
import { findOrderByPayment, lockOrder, type OrderRow } from '~db/queries/orders.server';
import { findRefund, findRefundByProvider, type RefundRow } from '~db/queries/refunds.server';
import { addRefund, moveAfterRefund, moveRefund, SYSTEM, tellBuyer } from './refund-moves.server';

/**
 * What came of news about a refund. `stale`: of an attempt that failed before; `foreign`: made at the
 * provider's own site, and recorded as goodwill, so that the books agree; `unknown`: of no order of ours.
 */
export type RefundNews = 'sent' | 'settled' | 'failed' | 'known' | 'stale' | 'foreign' | 'unknown';

/**
 * Takes what the provider tells of a refund, in the transaction `db`; `wakeOutbox()` after it. News may
 * come twice, late or in another order.
 *
 * @returns a code of what came of it
 */
export async function takeRefundNews(
  db: Database,
  news: ProviderRefund,
  now: Date,
): Promise<RefundNews> {
  const order = await orderOf(db, news);
  if (!order) return 'unknown';
  // As it is now that nobody else changes it.
  const refund =
    (await findRefundByProvider(db, news.id)) ??
    (news.refundId === null ? undefined : await findRefund(db, news.refundId));
  if (!refund) return news.status === 'failed' ? 'stale' : recordForeign(db, order, news, now);
  const isKnown = refund.provider_refund_id === news.id && refund.state !== 'approved';
  if (isKnown) return takeStatus(db, refund, news, now);
  // Of an attempt that failed before: of later ones the provider's own answer says what its id is.
  const isFirst = refund.state === 'approved' && refund.attempt === 1;
  if (!isFirst || news.status === 'failed') return 'stale';
  return noteSent(db, order, refund, news, now);
}

/** The order that a refund is of; this transaction holds its row. */
async function orderOf(
  db: Database,
  { id, refundId, paymentId }: ProviderRefund,
): Promise<OrderRow | undefined> {
  const refund =
    (await findRefundByProvider(db, id)) ??
    (refundId === null ? undefined : await findRefund(db, refundId));
  if (refund) return lockOrder(db, refund.order_id);
  const order = paymentId === null ? undefined : await findOrderByPayment(db, paymentId);
  return order && lockOrder(db, order.id);
}

/**
 * Notes that an approved refund of an order, whose row the transaction holds, was sent: credit note,
 * the order's state, a mail; and what its status says besides.
 */
export async function noteSent(
  db: Database,
  order: OrderRow,
  refund: RefundRow,
  news: ProviderRefund,
  now: Date,
): Promise<RefundNews> {
  const set = {
    provider_refund_id: news.id,
    failure_code: null,
    // A credit note says that we owe the money: one that came back is owed by the same, of the same day.
    sent_at: refund.sent_at ?? now.toISOString(),
    credit_note_number: refund.credit_note_number ?? (await takeCreditNote(db, order, now)),
  };
  const sent = await moveRefund(db, refund, 'send', { actor: SYSTEM, set }, now);
  // Nothing is half done: the number goes back with everything else.
  if (!sent) throw new Error(`refund ${refund.id} has changed while its order was held`);
  await moveAfterRefund(db, order, now);
  const { credit_note_number: number } = set;
  if (number !== null) {
    const mail = { kind: 'refundSent', cents: sent.amount_cents, parameters: { number } } as const;
    await tellBuyer(db, order, mail, now);
  }
  const status = await takeStatus(db, sent, news, now);
  return status === 'known' ? 'sent' : status;
}

/** The number of a credit note; null where there is no invoice that it would correct. */
async function takeCreditNote(
  db: Database,
  { invoice_number: invoice }: OrderRow,
  now: Date,
): Promise<string | null> {
  return invoice === null ? null : takeDocumentNumber(db, 'credit_note', now);
}

/** Takes the status of a refund that the provider knows. */
async function takeStatus(
  db: Database,
  refund: RefundRow,
  { status, failureCode }: ProviderRefund,
  now: Date,
): Promise<RefundNews> {
  if (status === 'succeeded' && refund.state === 'sent') {
    const set = { settled_at: now.toISOString() };
    await moveRefund(db, refund, 'settle', { actor: SYSTEM, set }, now);
    return 'settled';
  }
  const isOnItsWay = refund.state === 'sent' || refund.state === 'settled';
  if (status === 'failed' && isOnItsWay) return noteFailed(db, refund, { code: failureCode }, now);
  return 'known';
}

/** Notes that a refund did not go, or came back; staff see it and send it anew. */
export async function noteFailed(
  db: Database,
  refund: RefundRow,
  {
    code,
    providerId = refund.provider_refund_id,
  }: { code: string | null; providerId?: string | null },
  now: Date,
): Promise<RefundNews> {
  const failureCode = code !== null && /^[a-z_]{1,60}$/.test(code) ? code : 'unknown';
  const set = { failure_code: failureCode, provider_refund_id: providerId, settled_at: null };
  const details = { code: failureCode };
  const failed = await moveRefund(db, refund, 'fail', { actor: SYSTEM, set, details }, now);
  return failed ? 'failed' : 'known';
}

async function recordForeign(
  db: Database,
  order: OrderRow,
  news: ProviderRefund,
  now: Date,
): Promise<RefundNews> {
  const at = now.toISOString();
  const isSettled = news.status === 'succeeded';
  await addRefund(
    db,
    order,
    {
      kind: 'goodwill',
      state: isSettled ? 'settled' : 'sent',
      amount_cents: news.amountCents,
      provider_refund_id: news.id,
      credit_note_number: await takeCreditNote(db, order, now),
      approved_at: at,
      sent_at: at,
      ...(isSettled && { settled_at: at }),
    },
    now,
  );
  await moveAfterRefund(db, order, now);
  return 'foreign';
}
