import { writeDatabase } from '~/database.server';
import { wakeOutbox } from '~/mail/outbox.server';
import type { ProviderEvent } from '~/payment/provider.server';
import { beginEvent, endEvent } from '~db/queries/payment-events.server';
import type { Database } from '~db/schema';
import { type Fulfilled, noteFulfilled } from './fulfil.server';
import { takeDisputeNews, takeRefundNews } from './refunds.server';
import { settleIn } from './settle.server';

/**
 * Takes an event of the payment provider, once: events come twice, late and out of order. What it
 * changes, and that it was taken, is one transaction; if that fails it was not taken, and the provider
 * sends it again.
 *
 * @returns a code of what came of it: `repeated`, `ignored`, or what the payment, refund or dispute says
 * @throws if it could not be taken
 */
export async function takeEvent(event: ProviderEvent, now: Date): Promise<string> {
  const { id, type } = event;
  const outcome = await writeDatabase(async (db) => {
    if (!(await beginEvent(db, { id, type }, now))) return 'repeated';
    const outcome = await takeNews(db, event, now);
    await endEvent(db, { id, orderId: event.checkout?.orderId ?? null, outcome }, now);
    return outcome;
  });
  if (outcome === 'repeated' || outcome === 'ignored') return outcome;
  if (event.checkout && outcome !== 'expired') noteFulfilled(outcome as Fulfilled);
  else wakeOutbox();
  return outcome;
}

async function takeNews(
  db: Database,
  { checkout, refund, dispute, createdAt }: ProviderEvent,
  now: Date,
): Promise<string> {
  if (checkout) return settleIn(db, checkout, now, createdAt);
  if (refund) return takeRefundNews(db, refund, now);
  if (dispute) return takeDisputeNews(db, dispute, now);
  return 'ignored';
}
