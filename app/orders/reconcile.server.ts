import { addMinutes, subDays } from 'date-fns';

import { queryDatabase } from '~/database.server';
import { errorFields, log } from '~/log.server';
import { payments, PaymentUnavailable } from '~/payment/provider.server';
import { listOpenOrders, type OrderRow } from '~db/queries/orders.server';
import { listTaken } from '~db/queries/payment-events.server';
import { endOrder } from './open-checkout.server';
import { takeEvent } from './take-event.server';

/** The provider is asked for its events of so many days: for so long it tries to deliver each. */
const EVENT_DAYS = 3;
/** An order without a page that is older has none: a page is over after 30 minutes. */
const NO_PAGE_MINUTES = 35;
/** After so many that the provider could not be asked about, it is left alone for now. */
const MOST_UNAVAILABLE = 3;

/**
 * Brings our orders and what the provider knows of them together, whatever was lost between them:
 * events that did not arrive, processes that ended between two steps. To do it twice is no harm, nor
 * that several servers do it at once. What fails is logged, and holds up nothing else.
 *
 * @returns how many of each; `unavailable`: the provider could not be asked
 */
export async function reconcilePayments(now: Date): Promise<Record<string, number>> {
  const done: Record<string, number> = { events: 0, paid: 0, expired: 0 };
  const add = (what: string, count = 1) => (done[what] = (done[what] ?? 0) + count);
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      const isAway = error instanceof PaymentUnavailable;
      const event = isAway ? 'the payment provider cannot be asked' : 'a payment is not reconciled';
      log('error', event, errorFields(error));
      add(isAway ? 'unavailable' : 'failed');
    }
  };
  await attempt(async () => {
    for (const event of await untakenEvents(now)) {
      await attempt(async () => {
        const outcome = await takeEvent(event, now);
        if (outcome !== 'repeated') add('events');
        if (outcome === 'fulfilled' || outcome === 'late') add('paid');
      });
    }
  });
  for (const order of await queryDatabase(listOpenOrders)) {
    if (!isOver(order, now)) continue;
    if ((done['unavailable'] ?? 0) >= MOST_UNAVAILABLE) break;
    await attempt(async () => {
      add((await endOrder(order, now)) === 'paid' ? 'paid' : 'expired');
    });
  }
  return done;
}

async function untakenEvents(now: Date) {
  const events = await payments().listEvents(subDays(now, EVENT_DAYS));
  const taken = await queryDatabase((db) =>
    listTaken(
      db,
      events.map(({ id }) => id),
    ),
  );
  return events.filter(({ id }) => !taken.has(id));
}

/** Whether an order that waits for money is not to wait any longer. */
function isOver(order: OrderRow & { application_state: string }, now: Date): boolean {
  if (order.application_state !== 'awaiting_payment') return true;
  const { session_expires_at: end, created_at } = order;
  if (end !== null) return new Date(end) <= now;
  return addMinutes(new Date(created_at), NO_PAGE_MINUTES) <= now;
}
