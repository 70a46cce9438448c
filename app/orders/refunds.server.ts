import { leftToRefund } from '~/domain/order/refund-rules';
import type { RefundKind, RefundState } from '~/domain/order/states';
import type { Database } from '~db/schema';
import { lockOrder, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import { addRefund, tellBuyer } from './refund-moves.server';

export { takeDisputeNews } from './dispute-news.server';
export { takeRefundNews } from './refund-news.server';
export { sendRefunds } from './send-refunds.server';

/** Of these states a refund has not left yet. */
const OPEN: readonly RefundState[] = ['requested', 'proposed', 'approved'];

/**
 * Opens a refund of what is left of an order's price, in the transaction `db`; one that is open already
 * is left as it is, and returned. A late payment needs nobody's approval: it was never ours; its buyer
 * gets a mail.
 *
 * @param reason the traveller's own words
 * @returns undefined if nothing was paid, or nothing is left to refund
 */
export async function openRefund(
  db: Database,
  { id: orderId }: OrderRow,
  { kind, reason }: { kind: RefundKind; reason?: string | undefined },
  now: Date,
): Promise<RefundRow | undefined> {
  const order = await lockOrder(db, orderId);
  if (order?.paid_at == null) return undefined;
  const refunds = await listRefundsOf(db, orderId);
  const open = refunds.find(({ state }) => OPEN.includes(state));
  if (open) return open;
  const left = leftToRefund(order.amount_cents, refunds);
  if (left === 0) return undefined;
  const isLate = kind === 'late_payment';
  const refund = await addRefund(
    db,
    order,
    {
      kind,
      state: isLate ? 'approved' : 'requested',
      amount_cents: left,
      reason,
      ...(isLate && { approved_at: now.toISOString() }),
    },
    now,
  );
  if (isLate) await tellBuyer(db, order, { kind: 'latePayment', cents: left }, now);
  return refund;
}
