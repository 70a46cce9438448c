import { recordEvent } from '~/accounts/audit.server';
import { moveApplication } from '~/applications/moves.server';
import { askForPhoto } from '~/applications/requests.server';
import { dayOf } from '~/clock.server';
import { counts } from '~/counts.server';
import { writeDatabase } from '~/database.server';
import { deliveryFrom } from '~/domain/order/delivery';
import { eurRateOf } from '~/domain/order/eur-rate';
import { DEFAULT_LANGUAGE, toLanguage } from '~/i18n/languages';
import { convertLead } from '~/leads/leads.server';
import { log } from '~/log.server';
import { wakeOutbox } from '~/mail/outbox.server';
import type { Checkout } from '~/payment/provider.server';
import { siteSettings } from '~/settings/settings.server';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { wasRecorded } from '~db/queries/audit-events.server';
import { findOrder, lockOrder, type OrderRow } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { queueOrderConfirmation } from './contract.server';
import { moveOrder } from './moves.server';
import { takeDocumentNumber } from './numbers.server';
import { openRefund } from './refunds.server';
import { frozenSeller } from './seller.server';

/**
 * What came of a page where an order is paid. `fulfilled`: the application is paid now; `already`: it
 * was; `late`: the money cannot be taken for it any more and goes back; `mismatch`: another amount or
 * currency than the order's, left to staff; `unpaid`: nothing was paid; `unknown`: none of our orders.
 */
export type Fulfilled = 'fulfilled' | 'already' | 'late' | 'mismatch' | 'unpaid' | 'unknown';

/**
 * Takes a payment for its order, once, whoever asks and how often: the webhook, the success page and the
 * reconciliation. In one transaction: the order, the invoice number, the application's state, the
 * confirmation mail.
 *
 * @param checkout as the provider has just told it
 */
export async function fulfil(checkout: Checkout, now: Date): Promise<Fulfilled> {
  const result = await writeDatabase((db) => fulfilIn(db, checkout, now));
  noteFulfilled(result);
  return result;
}

/** After the transaction: counts what came of a payment, and has its mail sent. */
export function noteFulfilled(result: Fulfilled): void {
  if (result === 'already' || result === 'unpaid') return;
  const { payments } = counts();
  payments[result] = (payments[result] ?? 0) + 1;
  wakeOutbox();
}

/**
 * The same in the transaction `db`; `noteFulfilled` after it.
 *
 * @param paidAt when it was paid, if that was before now: the delivery counts from it
 */
export async function fulfilIn(
  db: Database,
  checkout: Checkout,
  now: Date,
  paidAt = now,
): Promise<Fulfilled> {
  const known = checkout.orderId === null ? undefined : await findOrder(db, checkout.orderId);
  if (!checkout.isPaid) return known ? 'unpaid' : 'unknown';
  if (!known) {
    // Of a database that was put back to an earlier time, for instance: an operator must look at it.
    log('error', 'money for an order that is not here', { checkout: checkout.id });
    return 'unknown';
  }
  // Whoever else pays, reopens, cancels or deletes the application waits until this is done. The
  // application first, as everywhere: two that wait for each other would wait for ever.
  const application = await lockApplication(db, known.application_id);
  const order = (await lockOrder(db, known.id)) ?? known;
  if (checkout.amountCents !== order.amount_cents || checkout.currency !== order.currency) {
    return mismatched(db, order, 'amount', now);
  }
  if (order.paid_at !== null) {
    const isSame = checkout.paymentId === null || checkout.paymentId === order.provider_payment_id;
    return isSame ? 'already' : mismatched(db, order, 'second_payment', now);
  }
  const paid = {
    paid_at: (paidAt < now ? paidAt : now).toISOString(),
    provider_payment_id: checkout.paymentId,
    provider_session_id: checkout.id,
  };
  if (application?.state === 'awaiting_payment') {
    return take(db, order, application, paid, now);
  }
  const late = await moveOrder(db, order, 'pay', { set: paid, details: { late: true } }, now);
  if (!late) throw new Error('The order has changed.');
  await openRefund(db, late, { kind: 'late_payment' }, now);
  return 'late';
}

async function take(
  db: Database,
  order: OrderRow,
  application: ApplicationRow,
  paid: { paid_at: string },
  now: Date,
): Promise<'fulfilled'> {
  const at = new Date(paid.paid_at);
  const { startsAt, dueAt } = deliveryFrom(at, order.start_choice, order.delivery_hours);
  const due_at = dueAt.toISOString();
  const { eurPerUsd } = siteSettings().vat;
  const set = {
    ...paid,
    fulfilled_at: now.toISOString(),
    starts_at: startsAt.toISOString(),
    due_at,
    invoice_number: await takeDocumentNumber(db, 'invoice', at),
    eur_rate: eurRateOf(eurPerUsd, order.currency, dayOf(at).slice(0, 7)),
    seller: frozenSeller(toLanguage(order.language_code) ?? DEFAULT_LANGUAGE),
  };
  const moved = await moveOrder(db, order, 'pay', { set }, now);
  const { moved: application_ } = await moveApplication(
    db,
    application,
    'pay',
    {
      as: 'system',
      actor: { kind: 'system' },
      facts: { paymentVerified: true },
      set: { starts_at: set.starts_at, due_at, package: order.package },
    },
    now,
  );
  // Nobody else can have changed them: all is taken back, and tried again by who tells of it next.
  if (!moved || !application_) throw new Error('The order or its application has changed.');
  await convertLead(db, application.id, now);
  await queueOrderConfirmation(db, moved, now);
  await askForPhoto(db, application_, now);
  return 'fulfilled';
}

/** What does not agree with the order changes nothing; it is remembered once, for the staff. */
async function mismatched(
  db: Database,
  { id }: OrderRow,
  what: 'amount' | 'second_payment',
  now: Date,
): Promise<'mismatch'> {
  log('error', 'a payment does not agree with its order', { order: id, what });
  if (!(await wasRecorded(db, { action: 'order.mismatched', subjectId: id }))) {
    const subject = { type: 'order', id } as const;
    const actor = { kind: 'system' } as const;
    await recordEvent(db, { action: 'order.mismatched', actor, subject, details: { what } }, now);
  }
  return 'mismatch';
}
