import type { Checkout } from '~/payment/provider.server';
import { lockOrder } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { type Fulfilled, fulfilIn } from './fulfil.server';
import { moveOrder } from './moves.server';

/** What came of a page where an order could be paid; `expired`: it is over, and so is its order. */
export type Settled = Fulfilled | 'expired';

/**
 * Takes what the provider tells of a page, in the transaction `db`: a payment, or that it is over without
 * one. `noteFulfilled` after it.
 *
 * @param paidAt when it was paid, if that was before now
 */
export async function settleIn(
  db: Database,
  checkout: Checkout,
  now: Date,
  paidAt = now,
): Promise<Settled> {
  if (checkout.isPaid || checkout.status !== 'expired') {
    return fulfilIn(db, checkout, now, paidAt);
  }
  if (checkout.orderId === null) return 'unknown';
  return (await expireOrder(db, checkout.orderId, checkout.id, now)) ? 'expired' : 'unpaid';
}

/**
 * Ends an order that nobody can pay any more, in the transaction `db`.
 *
 * @param page that is over; null: it has none
 * @returns false if it does not wait for money, or has another page
 */
export async function expireOrder(
  db: Database,
  id: string,
  page: string | null,
  now: Date,
): Promise<boolean> {
  const order = await lockOrder(db, id);
  if (!order) return false;
  const { provider_session_id: own } = order;
  if (own !== null && own !== page) return false;
  return (await moveOrder(db, order, 'expire', {}, now)) !== undefined;
}
