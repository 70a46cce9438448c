import { addMinutes, subDays } from 'date-fns';
import { randomUUID } from 'node:crypto';

import { audit, SYSTEM } from '~/accounts/audit.server';
import { actorOf, type OpenApplication } from '~/applications/access.server';
import { askForPhotos } from '~/applications/documents.server';
import { moveApplication } from '~/applications/moves.server';
import { dayOf } from '~/clock.server';
import { counts } from '~/counts.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { dayPeriod } from '~/domain/day-period';
import { type Package, PACKAGES } from '~/domain/offer';
import type { Buyer } from '~/domain/order/buyer';
import { deliveryFrom } from '~/domain/order/deadlines';
import { rateOn } from '~/domain/order/eur-rate';
import type { StartChoice } from '~/domain/order/states';
import type { Language } from '~/i18n/languages';
import { convertLead } from '~/leads/leads.server';
import { errorFields, log } from '~/log.server';
import { mailLanguage } from '~/mail/language';
import {
  type Checkout,
  PaymentRefused,
  payments,
  PaymentUnavailable,
  type ProviderEvent,
} from '~/payment/provider.server';
import { closedPeriods, siteSettings } from '~/settings/settings.server';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
  updateInState,
} from '~db/queries/applications.server';
import { wasRecorded } from '~db/queries/audit-events.server';
import { nextNumber } from '~db/queries/counters.server';
import {
  countSold,
  findFulfilledOrder,
  findOpenOrder,
  findOrder,
  incrementAttempt,
  listOpenOrders,
  listOrdersOf,
  lockOrder,
  type OrderRow,
  saveCheckoutSession,
} from '~db/queries/orders.server';
import { beginEvent, endEvent, listTaken } from '~db/queries/payment-events.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { isSoldOutToday, type Offer } from '~/public/offer.server';
import {
  moveOrder,
  queueOrderConfirmation,
  saveContractText,
  sellerSnapshot,
} from './order.server';
import { buyerOfOrder, sealBuyer, takeDocumentNumber } from './invoices.server';
import { handleDispute, handleRefundUpdated, openRefund } from './refunds.server';

export interface OrderChoice extends Offer {
  package: Package;
  startChoice: StartChoice;
  consents: Readonly<Record<string, string>>;
  buyer: Buyer;
  language: Language;
  origin: string;
  product: { name: string; description: string };
}
type Owned = Pick<OpenApplication, 'row' | 'owner'>;

/**
 * Where the press of the order button leads; or why nowhere. `closed`: the application does not wait for
 * payment; `paid`: it is paid; `unavailable`: the provider cannot be reached, the button may be pressed
 * again; `refused`: the provider does not take the order; `soldOut`: nobody orders that package today.
 */
export type CheckoutResult =
  | { leadsTo: string }
  | { refused: 'closed' | 'paid' | 'unavailable' | 'refused' | 'soldOut' };

/** With another choice each time, or a page that is over, the next try finds the order of now. */
const TRIES = 3;
const LEAST_LEFT_MS = 2 * 60 * 1000;

/** Idempotent with the same choice; with another, the page of the one before is closed first. */
export async function placeOrder(
  of: Owned,
  choice: OrderChoice,
  now: Date,
): Promise<CheckoutResult> {
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const found = await writeDatabase((db) => findOrInsertOrder(db, of, choice, now));
      if (found.refused) return found;
      const { order, is } = found;
      if (is === 'another') {
        if ((await endOrder(order, now)) === 'paid') return { refused: 'paid' };
      } else {
        const placed = await redirectToCheckout(order, is === 'new', choice, now);
        if (placed) return placed;
      }
    }
    throw new PaymentUnavailable('others order the same at this moment');
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    log('error', 'an order has no page to pay it', errorFields(error));
    return { refused: 'unavailable' };
  }
}

export async function findOrInsertOrder(
  db: Database,
  { row, owner }: Owned,
  choice: Omit<OrderChoice, 'origin' | 'product'>,
  now: Date,
) {
  const { id: applicationId } = row;
  const { language } = choice;
  const at = now.toISOString();
  // It holds back who pays, reopens or deletes the application; and its owner has touched it, in the
  // language that all mails of the case are in from now on.
  const touched = { updated_at: at, noticed_at: null, language_code: language };
  const isAwaited = await updateInState(db, applicationId, 'awaiting_payment', touched);
  if (await findFulfilledOrder(db, applicationId)) return { refused: 'paid' as const };
  const application = isAwaited ? await findApplication(db, applicationId) : undefined;
  if (!application) return { refused: 'closed' as const };
  const id = randomUUID();
  const frozen = {
    package: choice.package,
    amount_cents: choice.amountCents,
    currency: choice.currency,
    vat_rate: choice.vat.rate,
    vat_country: choice.vat.country,
    vat_note: choice.vat.note,
    language_code: language,
    start_choice: choice.startChoice,
    delivery_hours: choice.deliveryHours,
    guarantee_days: choice.guaranteeDays,
    consents: JSON.stringify(choice.consents),
    terms_hash: await saveContractText(db, language, now),
  };
  const open = await findOpenOrder(db, applicationId);
  if (open && isSame(open, frozen, choice.buyer)) return { order: open, is: 'same' as const };
  // Whoever orders the same package at this moment waits, and counts this one.
  const { perDay } = siteSettings().sales[choice.package];
  if (perDay !== null) await nextNumber(db, `orders of ${choice.package}`);
  const isRefused = await isSoldOut(db, choice.package, applicationId, now);
  if (isRefused) return { refused: 'soldOut' as const };
  if (open) return { order: open, is: 'another' as const };
  const { reference } = application;
  const fresh = {
    ...{ id, application_id: applicationId, reference, state: 'created' as const, ...frozen },
    buyer_sealed: sealBuyer(id, choice.buyer),
    created_at: at,
  };
  const order = (await rowsIn(db).insertNew('orders', fresh)) ? await findOrder(db, id) : undefined;
  if (!order) throw new Error('Another order waits for money already.');
  const details = { package: choice.package, start: choice.startChoice };
  await audit(db, actorOf(owner), 'order.placed', ['order', id], now, details);
  return { order, is: 'new' as const };
}

/** Today, as the owner says: not at all, or no more than so many. */
async function isSoldOut(db: Database, name: Package, applicationId: string, now: Date) {
  const { sales, timeZone } = siteSettings();
  const { perDay } = sales[name];
  if (perDay === null || isSoldOutToday(name)) return isSoldOutToday(name);
  return (await countSold(db, name, dayPeriod(dayOf(now), timeZone), applicationId)) >= perDay;
}

export async function soldOutFor(db: Database, applicationId: string, now: Date) {
  const soldOut: Package[] = [];
  for (const name of PACKAGES)
    if (await isSoldOut(db, name, applicationId, now)) soldOut.push(name);
  return soldOut;
}

function isSame(order: OrderRow, frozen: Partial<OrderRow>, buyer: Buyer): boolean {
  const names = Object.keys(frozen) as (keyof OrderRow)[];
  return (
    names.every((name) => order[name] === frozen[name]) &&
    JSON.stringify(buyerOfOrder(order)) === JSON.stringify(buyer)
  );
}

/** Undefined if its page is over, or its order was ended meanwhile: then all begins anew. */
async function redirectToCheckout(
  order: OrderRow,
  isNew: boolean,
  choice: OrderChoice,
  now: Date,
): Promise<CheckoutResult | undefined> {
  let checkout: Checkout;
  try {
    checkout = await pageOf(order, isNew, choice);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    log('error', 'the payment provider refuses an order', { code: error.code });
    await writeDatabase((db) => moveOrder(db, order, 'fail', {}, now));
    return { refused: 'refused' };
  }
  if (checkout.status === 'open' && checkout.url !== null) {
    const isLongEnough = checkout.expiresAt.getTime() - now.getTime() >= LEAST_LEFT_MS;
    const isKept = await writeDatabase((db) => saveCheckoutSession(db, order.id, checkout));
    if (isKept && isLongEnough) return { leadsTo: checkout.url };
    checkout = await payments().closeCheckout(checkout.id);
  }
  if (checkout.isPaid || checkout.status === 'complete') {
    const taken = await fulfil(checkout, now);
    return { refused: taken === 'mismatch' ? 'refused' : 'paid' };
  }
  await writeDatabase((db) => expireOrder(db, order.id, checkout.id, now));
  return undefined;
}

async function pageOf(order: OrderRow, isNew: boolean, choice: OrderChoice) {
  const { language, origin, product, buyer } = choice;
  if (order.provider_session_id !== null) return payments().findCheckout(order.provider_session_id);
  const path = `${origin}/application/${order.application_id}`;
  const create = (attempt: number) =>
    payments().createCheckout({
      orderId: order.id,
      attempt,
      amountCents: order.amount_cents,
      currency: order.currency,
      language,
      product,
      email: buyer.email,
      successUrl: `${path}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${path}/payment?cancelled=1`,
    });
  try {
    return await create(order.attempt);
  } catch (error) {
    // An earlier press may have asked with other words or from another address, and nothing of its
    // answer was kept: the provider wants another key for another page.
    if (isNew || !(error instanceof PaymentRefused)) throw error;
    return create(await writeDatabase((db) => incrementAttempt(db, order)));
  }
}

/** Where the order that waits for money is paid, while its page has time left. */
export async function pageOfOpenOrder(applicationId: string, now: Date) {
  const order = await queryDatabase((db) => findOpenOrder(db, applicationId));
  const id = order && hasTimeLeft(order, now) ? order.provider_session_id : null;
  const checkout = id === null ? undefined : await payments().findCheckout(id);
  return checkout?.status === 'open' ? checkout.url : null;
}

export const hasTimeLeft = ({ session_expires_at: end }: OrderRow, now: Date) =>
  end !== null && Date.parse(end) - now.getTime() >= LEAST_LEFT_MS;

const END_TRIES = 3;
const RETRY_AFTER_S = 10;

/** Before the application changes. `paid`: somebody has paid, and that was taken. */
export async function closeOpenCheckout(applicationId: string, now: Date) {
  const order = await queryDatabase((db) => findOpenOrder(db, applicationId));
  return order ? endOrder(order, now) : 'closed';
}

export async function requireClosedCheckout(applicationId: string, now: Date) {
  try {
    return await closeOpenCheckout(applicationId, now);
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    log('error', 'the payment provider cannot be asked', errorFields(error));
    throw new Response(null, { status: 503, headers: { 'Retry-After': String(RETRY_AFTER_S) } });
  }
}

/** What was paid until then is taken. @throws {PaymentUnavailable} with nothing changed */
export async function endOrder({ id }: OrderRow, now: Date): Promise<'closed' | 'paid'> {
  for (let tries = 0; tries < END_TRIES; tries += 1) {
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

/** The provider is asked for its events of so many days: for so long it tries to deliver each. */
const EVENT_DAYS = 3;
/** An order without a page that is older has none: a page is over after 30 minutes. */
const NO_PAGE_MINUTES = 35;
/** After so many that the provider could not be asked about, it is left alone for now. */
const MOST_UNAVAILABLE = 3;

/** Whatever was lost: events that did not arrive, processes that ended half-way. Idempotent. */
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
    const events = await payments().listEvents(subDays(now, EVENT_DAYS));
    const ids = events.map(({ id }) => id);
    const taken = await queryDatabase((db) => listTaken(db, ids));
    for (const event of events.filter(({ id }) => !taken.has(id))) {
      await attempt(async () => {
        const outcome = await handleEvent(event, now);
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

function isOver(order: OrderRow & { application_state: string }, now: Date): boolean {
  if (order.application_state !== 'awaiting_payment') return true;
  const { session_expires_at: end, created_at } = order;
  if (end !== null) return new Date(end) <= now;
  return addMinutes(new Date(created_at), NO_PAGE_MINUTES) <= now;
}

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

function noteFulfilled(result: Fulfilled): void {
  if (result === 'already' || result === 'unpaid') return;
  const { payments } = counts();
  payments[result] = (payments[result] ?? 0) + 1;
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
  const { start_choice: start, delivery_hours: hours } = order;
  const { startsAt, dueAt } = deliveryFrom(at, start, hours, closedPeriods());
  const due_at = dueAt.toISOString();
  const { eurPerUsd } = siteSettings().vat;
  const set = {
    ...paid,
    fulfilled_at: now.toISOString(),
    starts_at: startsAt.toISOString(),
    due_at,
    invoice_number: await takeDocumentNumber(db, 'invoice', at),
    eur_rate: order.currency === 'USD' ? (rateOn(eurPerUsd, dayOf(at))?.rate ?? null) : null,
    seller: sellerSnapshot(mailLanguage(order)),
  };
  const moved = await moveOrder(db, order, 'pay', { set }, now);
  const payment = {
    as: 'system',
    actor: SYSTEM,
    facts: { paymentVerified: true },
    set: { starts_at: set.starts_at, due_at, package: order.package },
  } as const;
  const { moved: application_ } = await moveApplication(db, application, 'pay', payment, now);
  // Nobody else can have changed them: all is taken back, and tried again by who tells of it next.
  if (!moved || !application_) throw new Error('The order or its application has changed.');
  await convertLead(db, application.id, now);
  await queueOrderConfirmation(db, moved, now);
  await askForPhotos(db, application_, now);
  return 'fulfilled';
}

/** What does not agree with the order changes nothing; it is remembered once, for the staff. */
async function mismatched(db: Database, { id }: OrderRow, what: string, now: Date) {
  log('error', 'a payment does not agree with its order', { order: id, what });
  if (!(await wasRecorded(db, { action: 'order.mismatched', subjectId: id }))) {
    await audit(db, SYSTEM, 'order.mismatched', ['order', id], now, { what });
  }
  return 'mismatch' as const;
}

/** `noteFulfilled` after it. @param paidAt when it was paid, if that was before now */
async function handleCheckoutEvent(db: Database, checkout: Checkout, now: Date, paidAt: Date) {
  const { id, orderId, isPaid, status } = checkout;
  if (isPaid || status !== 'expired') return capturePayment(db, checkout, now, paidAt);
  if (orderId === null) return 'unknown';
  return (await expireOrder(db, orderId, id, now)) ? 'expired' : 'unpaid';
}

/** @param page null: it has none @returns false if it waits for no money, or has another page */
async function expireOrder(db: Database, id: string, page: string | null, now: Date) {
  const order = await lockOrder(db, id);
  if (!order) return false;
  const { provider_session_id: own } = order;
  if (own !== null && own !== page) return false;
  return (await moveOrder(db, order, 'expire', {}, now)) !== undefined;
}

/** Once, whatever order events come in. A failed transaction has the provider send it again. */
export async function handleEvent(event: ProviderEvent, now: Date): Promise<string> {
  const { id, type, checkout, refund, dispute, createdAt } = event;
  const handle = async (db: Database): Promise<string> => {
    if (checkout) return handleCheckoutEvent(db, checkout, now, createdAt);
    if (refund) return handleRefundUpdated(db, refund, now);
    return dispute ? handleDispute(db, dispute, now) : 'ignored';
  };
  const outcome = await writeDatabase(async (db) => {
    if (!(await beginEvent(db, { id, type }, now))) return 'repeated';
    const outcome = await handle(db);
    await endEvent(db, { id, orderId: checkout?.orderId ?? null, outcome }, now);
    return outcome;
  });
  if (outcome === 'repeated' || outcome === 'ignored') return outcome;
  if (checkout && outcome !== 'expired') noteFulfilled(outcome as Fulfilled);
  return outcome;
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
  const paidOrder = () => queryDatabase((db) => findFulfilledOrder(db, applicationId));
  const paid = await paidOrder();
  if (paid) return { is: 'paid', order: paid };
  const orders = await queryDatabase((db) => listOrdersOf(db, applicationId));
  const isOurs = orders.some((order) => order.provider_session_id === sessionId);
  if (sessionId === null || !isOurs) return { is: 'unpaid' };
  const is = await resultOf(sessionId, now);
  const order = await paidOrder();
  return order ? { is: 'paid', order } : { is };
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
