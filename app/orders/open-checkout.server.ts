import { queryDatabase, writeDatabase } from '~/database.server';
import { errorFields, log } from '~/log.server';
import {
  type Checkout,
  PaymentRefused,
  payments,
  PaymentUnavailable,
} from '~/payment/provider.server';
import { findOpenOrder, findOrder, type OrderRow } from '~db/queries/orders.server';
import { fulfil } from './fulfil.server';
import { expireOrder } from './settle.server';

/** An order that changes meanwhile is looked at again. */
const TRIES = 3;
/** In seconds: who could not do something is told to try again then. */
const RETRY_AFTER_S = 10;

/**
 * Closes the page where an application's order could be paid, before the application is changed,
 * cancelled or deleted.
 *
 * @returns `closed`: nobody can pay any more; `paid`: somebody has, and the payment was taken
 * @throws {PaymentUnavailable} if the provider cannot be asked
 */
export async function closeOpenCheckout(
  applicationId: string,
  now: Date,
): Promise<'closed' | 'paid'> {
  const order = await queryDatabase((db) => findOpenOrder(db, applicationId));
  return order ? endOrder(order, now) : 'closed';
}

/**
 * The same for a request that cannot go on without it.
 *
 * @throws {Response} 503 if the provider cannot be asked, which is logged
 */
export async function requireClosedCheckout(
  applicationId: string,
  now: Date,
): Promise<'closed' | 'paid'> {
  try {
    return await closeOpenCheckout(applicationId, now);
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    log('error', 'the payment provider cannot be asked', errorFields(error));
    throw new Response(null, { status: 503, headers: { 'Retry-After': String(RETRY_AFTER_S) } });
  }
}

/**
 * Ends an order that waits for money: its page is closed at the provider first. What was paid there
 * until then is taken.
 *
 * @throws {PaymentUnavailable} if the provider cannot be asked; then nothing has changed
 */
export async function endOrder({ id }: OrderRow, now: Date): Promise<'closed' | 'paid'> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const order = await queryDatabase((db) => findOrder(db, id));
    if (order?.state !== 'created') return order && order.paid_at !== null ? 'paid' : 'closed';
    const checkout = await closedPage(order);
    if (checkout?.isPaid || checkout?.status === 'complete') {
      // Whatever comes of it: no other payment is asked for until it is cleared up.
      await fulfil(checkout, now);
      return 'paid';
    }
    if (checkout?.status === 'open') throw new PaymentUnavailable('the page is open still');
    const page = order.provider_session_id;
    // Meanwhile it may have been paid, or got a page.
    if (await writeDatabase((db) => expireOrder(db, id, page, now))) return 'closed';
  }
  throw new PaymentUnavailable('the order changes all the time');
}

/** The page of an order once it is closed; undefined: it has none that anybody could know of. */
async function closedPage({ provider_session_id: id }: OrderRow): Promise<Checkout | undefined> {
  // Made just now and not stored yet: who made it finds the order ended, and closes it.
  if (id === null) return undefined;
  try {
    return await payments().closeCheckout(id);
  } catch (error) {
    // Such as after a change of the provider's account: nobody pays what it does not know.
    if (error instanceof PaymentRefused && error.code === 'resource_missing') return undefined;
    if (!(error instanceof PaymentRefused)) throw error;
    throw new PaymentUnavailable(error.message, { cause: error });
  }
}
