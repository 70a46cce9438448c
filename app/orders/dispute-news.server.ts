import { isUndecided, leftToRefund, refundedSoFar } from '~/domain/order/refund-rules';
import type { OrderEvent } from '~/domain/order/states';
import type { ProviderDispute } from '~/payment/provider.server';
import type { Database } from '~db/schema';
import { listEventsAbout } from '~db/queries/audit-events.server';
import { findOrderByPayment, lockOrder, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf } from '~db/queries/refunds.server';
import { moveOrder } from './moves.server';
import { takeDocumentNumber } from './numbers.server';
import { noteFailed } from './refund-news.server';
import { addRefund, moveRefund, SYSTEM } from './refund-moves.server';

/** What came of news about a dispute; `known`: it was told before, or is over. */
export type DisputeNews = 'disputed' | 'won' | 'lost' | 'known' | 'unknown';

/**
 * Takes what the provider tells of a dispute, in the transaction `db`. While it lasts nothing is
 * refunded; if it is lost, what is left of the price is gone, with a credit note. News may come twice,
 * late or in another order: what has ended does not begin again.
 *
 * @returns a code of what came of it
 */
export async function takeDisputeNews(
  db: Database,
  { id, paymentId, amountCents, status }: ProviderDispute,
  now: Date,
): Promise<DisputeNews> {
  const found = paymentId === null ? undefined : await findOrderByPayment(db, paymentId);
  const order = found && (await lockOrder(db, found.id));
  if (!order) return 'unknown';
  const told = await eventsOf(db, order, id);
  if (told.includes('dispute_won') || told.includes('dispute_lost')) return 'known';
  const disputed = told.includes('dispute') ? order : await move(db, order, 'dispute', id, now);
  if (status === 'open') return told.includes('dispute') ? 'known' : 'disputed';
  if (status === 'lost') await loseRest(db, disputed, { id, amountCents }, now);
  await move(db, disputed, status === 'won' ? 'dispute_won' : 'dispute_lost', id, now);
  return status;
}

/** What happened with a dispute so far: the audit knows. */
async function eventsOf(db: Database, { id }: OrderRow, dispute: string): Promise<string[]> {
  const events = await listEventsAbout(db, { type: 'order', id });
  return events
    .filter(({ action }) => action === 'order.moved')
    .map(({ details }) => JSON.parse(details) as { event?: string; dispute?: string })
    .flatMap((details) => (details.dispute === dispute && details.event) || []);
}

async function move(
  db: Database,
  order: OrderRow,
  event: OrderEvent,
  dispute: string,
  now: Date,
): Promise<OrderRow> {
  const refunded = refundedSoFar(await listRefundsOf(db, order.id));
  const moved = await moveOrder(db, order, event, { details: { dispute }, refunded }, now);
  return moved ?? order;
}

/** The bank has taken the money: what was to be refunded is not, and the books say where it went. */
async function loseRest(
  db: Database,
  order: OrderRow,
  { id, amountCents }: Pick<ProviderDispute, 'id' | 'amountCents'>,
  now: Date,
): Promise<void> {
  const details = { dispute: id };
  for (const refund of await listRefundsOf(db, order.id)) {
    if (isUndecided(refund.state)) {
      await moveRefund(db, refund, 'refuse', { actor: SYSTEM, details }, now);
    }
    if (refund.state === 'approved') await noteFailed(db, refund, { code: 'charge_disputed' }, now);
  }
  const left = leftToRefund(order.amount_cents, await listRefundsOf(db, order.id));
  const lost = Math.min(left, amountCents);
  if (lost === 0) return;
  const at = now.toISOString();
  await addRefund(
    db,
    order,
    {
      kind: 'dispute',
      state: 'settled',
      amount_cents: lost,
      provider_refund_id: id,
      credit_note_number:
        order.invoice_number === null ? null : await takeDocumentNumber(db, 'credit_note', now),
      approved_at: at,
      sent_at: at,
      settled_at: at,
    },
    now,
  );
}
