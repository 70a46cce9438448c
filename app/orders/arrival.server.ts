import { queryDatabase } from '~/database.server';
import { errorFields, log } from '~/log.server';
import { PaymentRefused, payments, PaymentUnavailable } from '~/payment/provider.server';
import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { fulfil } from './fulfil.server';

/**
 * What is known of a payment when somebody comes back from the provider's page. `waiting`: the provider
 * has not told yet, or cannot be asked; `mismatch`: staff looks into it; `late`: it goes back, as the
 * application does not wait for it any more; `unpaid`: nothing was paid, as far as anybody knows.
 */
export type Arrival =
  | { is: 'paid'; order: OrderRow }
  | { is: 'waiting' | 'mismatch' | 'late' | 'unpaid' };

/**
 * Looks for the payment of an application, and takes it if the provider knows it before we do. Only a
 * page of this application's own is asked about.
 *
 * @param sessionId as the address names it
 * @throws if the database cannot be used
 */
export async function arrivalOf(
  applicationId: string,
  sessionId: string | null,
  now: Date,
): Promise<Arrival> {
  const before = await ordersOf(applicationId);
  if (before.fulfilled) return { is: 'paid', order: before.fulfilled };
  const isOurs = before.orders.some((order) => order.provider_session_id === sessionId);
  if (sessionId === null || !isOurs) return { is: 'unpaid' };
  const is = await taken(sessionId, now);
  const { fulfilled } = await ordersOf(applicationId);
  return fulfilled ? { is: 'paid', order: fulfilled } : { is };
}

async function ordersOf(applicationId: string) {
  const orders = await queryDatabase((db) => listOrdersOf(db, applicationId));
  return { orders, fulfilled: orders.find((order) => order.fulfilled_at !== null) };
}

/** What came of a page, unless it was fulfilled. */
async function taken(
  sessionId: string,
  now: Date,
): Promise<Exclude<Arrival, { is: 'paid' }>['is']> {
  try {
    const checkout = await payments().findCheckout(sessionId);
    const result = await fulfil(checkout, now);
    if (result === 'mismatch') return result;
    // Taken before, but for no order that was fulfilled: the webhook was faster.
    if (result === 'late' || result === 'already') return 'late';
    return checkout.status === 'complete' ? 'waiting' : 'unpaid';
  } catch (error) {
    if (!(error instanceof PaymentUnavailable || error instanceof PaymentRefused)) throw error;
    log('error', 'a page where an order is paid cannot be asked about', errorFields(error));
    return 'waiting';
  }
}
