import { audit } from '~/accounts/audit.server';
import { moveApplication } from '~/applications/moves.server';
import { askForPhotos } from '~/applications/documents.server';
import { dayOf } from '~/clock.server';
import { counts } from '~/counts.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { deliveryFrom } from '~/domain/order/deadlines';
import { eurRateOf } from '~/domain/order/eur-rate';
import { DEFAULT_LANGUAGE, toLanguage } from '~/i18n/languages';
import { convertLead } from '~/leads/leads.server';
import { errorFields, log } from '~/log.server';
import { wakeOutbox } from '~/mail/outbox.server';
import {
  type Checkout,
  PaymentRefused,
  payments,
  PaymentUnavailable,
  type ProviderEvent,
} from '~/payment/provider.server';
import { siteSettings } from '~/settings/settings.server';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { wasRecorded } from '~db/queries/audit-events.server';
import { findOrder, listOrdersOf, lockOrder, type OrderRow } from '~db/queries/orders.server';
import { beginEvent, endEvent } from '~db/queries/payment-events.server';
import type { Database } from '~db/schema';
import { queueOrderConfirmation } from './contract.server';
import { sellerSnapshot, moveOrder, takeDocumentNumber } from './order.server';
import { handleDispute, handleRefundUpdated } from './refund-events.server';
import { openRefund } from './refunds.server';

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
 */
export async function fulfil(checkout: Checkout, now: Date): Promise<Fulfilled> {
  const result = await writeDatabase((db) => capturePayment(db, checkout, now));
  noteFulfilled(result);
  return result;
}

export function noteFulfilled(result: Fulfilled): void {
  if (result === 'already' || result === 'unpaid') return;
  const { payments } = counts();
  payments[result] = (payments[result] ?? 0) + 1;
  wakeOutbox();
}

/** `noteFulfilled` after it. @param paidAt if that was before now: the delivery counts from it */
export async function capturePayment(db: Database, checkout: Checkout, now: Date, paidAt = now) {
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
    return applyPayment(db, order, application, paid, now);
  }
  const late = await moveOrder(db, order, 'pay', { set: paid, details: { late: true } }, now);
  if (!late) throw new Error('The order has changed.');
  await openRefund(db, late, { kind: 'late_payment' }, now);
  return 'late';
}

async function applyPayment(
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
    seller: sellerSnapshot(toLanguage(order.language_code) ?? DEFAULT_LANGUAGE),
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
  await askForPhotos(db, application_, now);
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
    const actor = { kind: 'system' } as const;
    await audit(db, actor, 'order.mismatched', ['order', id], now, { what });
  }
  return 'mismatch';
}

export type Settled = Fulfilled | 'expired';

/** `noteFulfilled` after it. @param paidAt when it was paid, if that was before now */
export async function handleCheckoutEvent(
  db: Database,
  checkout: Checkout,
  now: Date,
  paidAt = now,
): Promise<Settled> {
  if (checkout.isPaid || checkout.status !== 'expired') {
    return capturePayment(db, checkout, now, paidAt);
  }
  if (checkout.orderId === null) return 'unknown';
  return (await expireOrder(db, checkout.orderId, checkout.id, now)) ? 'expired' : 'unpaid';
}

/** @param page null: it has none @returns false if it waits for no money, or has another page */
export async function expireOrder(db: Database, id: string, page: string | null, now: Date) {
  const order = await lockOrder(db, id);
  if (!order) return false;
  const { provider_session_id: own } = order;
  if (own !== null && own !== page) return false;
  return (await moveOrder(db, order, 'expire', {}, now)) !== undefined;
}

/** Once, whatever order events come in. A failed transaction has the provider send it again. */
export async function handleEvent(event: ProviderEvent, now: Date): Promise<string> {
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
  if (checkout) return handleCheckoutEvent(db, checkout, now, createdAt);
  if (refund) return handleRefundUpdated(db, refund, now);
  if (dispute) return handleDispute(db, dispute, now);
  return 'ignored';
}

/**
 * What is known of a payment when somebody comes back from the provider's page. `waiting`: the provider
 * has not told yet, or cannot be asked; `mismatch`: staff looks into it; `late`: it goes back, as the
 * application does not wait for it any more; `unpaid`: nothing was paid, as far as anybody knows.
 */
export type Arrival =
  | { is: 'paid'; order: OrderRow }
  | { is: 'waiting' | 'mismatch' | 'late' | 'unpaid' };

/** @param sessionId as the address names it; of another application's nothing is asked */
export async function paymentResultOnReturn(
  applicationId: string,
  sessionId: string | null,
  now: Date,
): Promise<Arrival> {
  const before = await ordersOf(applicationId);
  if (before.fulfilled) return { is: 'paid', order: before.fulfilled };
  const isOurs = before.orders.some((order) => order.provider_session_id === sessionId);
  if (sessionId === null || !isOurs) return { is: 'unpaid' };
  const is = await resultOf(sessionId, now);
  const { fulfilled } = await ordersOf(applicationId);
  return fulfilled ? { is: 'paid', order: fulfilled } : { is };
}

async function ordersOf(applicationId: string) {
  const orders = await queryDatabase((db) => listOrdersOf(db, applicationId));
  return { orders, fulfilled: orders.find((order) => order.fulfilled_at !== null) };
}

async function resultOf(sessionId: string, now: Date) {
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
