import { randomUUID } from 'node:crypto';

import { recordEvent } from '~/accounts/audit.server';
import type { OpenApplication } from '~/applications/access.server';
import { actorOf } from '~/applications/certify.server';
import { writeDatabase } from '~/database.server';
import type { Buyer } from '~/domain/order/buyer';
import type { StartChoice } from '~/domain/order/states';
import type { Package } from '~/domain/offer';
import type { Language } from '~/i18n/languages';
import { errorFields, log } from '~/log.server';
import {
  type Checkout,
  PaymentRefused,
  payments,
  PaymentUnavailable,
} from '~/payment/provider.server';
import { findApplication, updateInState } from '~db/queries/applications.server';
import {
  findFulfilledOrder,
  findOpenOrder,
  findOrder,
  insertOrder,
  keepSession,
  type OrderRow,
  raiseAttempt,
} from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { keepContractText } from './contract.server';
import { fulfil } from './fulfil.server';
import { moveOrder } from './moves.server';
import type { Offer } from './offer.server';
import { endOrder } from './open-checkout.server';
import { buyerOfOrder, sealBuyer } from './sealed-buyer.server';
import { expireOrder } from './settle.server';

/** What somebody orders: as it was shown to them, with what they have chosen and agreed to. */
export interface OrderChoice extends Offer {
  package: Package;
  startChoice: StartChoice;
  /** By the name of the field, the sentence that was shown and agreed to. */
  consents: Readonly<Record<string, string>>;
  buyer: Buyer;
}

export interface OrderPlace {
  language: Language;
  /** The site's, such as `https://example.eu`. */
  origin: string;
  /** What the page of the provider calls it, in this language. */
  product: { name: string; description: string };
}

/**
 * Where the press of the order button leads; or why nowhere. `closed`: the application does not wait for
 * payment; `paid`: it is paid; `unavailable`: the provider cannot be reached, the button may be pressed
 * again; `refused`: the provider does not take the order.
 */
export type Placed =
  | { leadsTo: string }
  | { refused: 'closed' | 'paid' | 'unavailable' | 'refused' };

/** With another choice each time, or a page that is over, the next try finds the order of now. */
const TRIES = 3;
/** A page that is over sooner leads nobody anywhere. */
const LEAST_LEFT_MS = 2 * 60 * 1000;

/**
 * Places an order and leads to the page where it is paid. Pressed again with the same choice, it is the
 * same order and page; with another, the page of the one before is closed first.
 *
 * @throws if the database cannot be used
 */
export async function placeOrder(
  { row, owner }: Pick<OpenApplication, 'row' | 'owner'>,
  choice: OrderChoice,
  place: OrderPlace,
  now: Date,
): Promise<Placed> {
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const actor = actorOf(owner);
      const found = await writeDatabase((db) =>
        findOrInsert(db, row.id, { choice, language: place.language, actor }, now),
      );
      if ('refused' in found) return found;
      const { order, is } = found;
      if (is === 'another') {
        if ((await endOrder(order, now)) === 'paid') return { refused: 'paid' };
      } else {
        const placed = await leadToPage(order, is === 'new', choice, place, now);
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

interface Ordered {
  choice: OrderChoice;
  language: Language;
  actor: ReturnType<typeof actorOf>;
}

/** The order that waits for money, be it of this choice or another; or a new one. */
async function findOrInsert(
  db: Database,
  applicationId: string,
  { choice, language, actor }: Ordered,
  now: Date,
): Promise<{ order: OrderRow; is: 'new' | 'same' | 'another' } | { refused: 'closed' | 'paid' }> {
  const at = now.toISOString();
  // It holds back who pays, reopens or deletes the application; and its owner has touched it, in the
  // language that all mails of the case are in from now on.
  const touched = { updated_at: at, noticed_at: null, language_code: language };
  const isAwaited = await updateInState(db, applicationId, 'awaiting_payment', touched);
  if (await findFulfilledOrder(db, applicationId)) return { refused: 'paid' };
  const application = isAwaited ? await findApplication(db, applicationId) : undefined;
  if (!application) return { refused: 'closed' };
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
    terms_hash: await keepContractText(db, language, now),
  };
  const open = await findOpenOrder(db, applicationId);
  if (open) return { order: open, is: isSame(open, frozen, choice.buyer) ? 'same' : 'another' };
  const row = {
    id,
    application_id: applicationId,
    reference: application.reference,
    state: 'created' as const,
    ...frozen,
    buyer_sealed: sealBuyer(id, choice.buyer),
    created_at: at,
  };
  const order = (await insertOrder(db, row)) ? await findOrder(db, id) : undefined;
  if (!order) throw new Error('Another order waits for money already.');
  const details = { package: choice.package, start: choice.startChoice };
  const subject = { type: 'order', id } as const;
  await recordEvent(db, { action: 'order.placed', actor, subject, details }, now);
  return { order, is: 'new' };
}

function isSame(order: OrderRow, frozen: Partial<OrderRow>, buyer: Buyer): boolean {
  const names = Object.keys(frozen) as (keyof OrderRow)[];
  return (
    names.every((name) => order[name] === frozen[name]) &&
    JSON.stringify(buyerOfOrder(order)) === JSON.stringify(buyer)
  );
}

/** @returns undefined if its page is over, or its order was ended meanwhile: then all begins anew */
async function leadToPage(
  order: OrderRow,
  isNew: boolean,
  choice: OrderChoice,
  place: OrderPlace,
  now: Date,
): Promise<Placed | undefined> {
  let checkout: Checkout;
  try {
    checkout = await pageOf(order, isNew, choice, place);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    log('error', 'the payment provider refuses an order', { code: error.code });
    await writeDatabase((db) => moveOrder(db, order, 'fail', {}, now));
    return { refused: 'refused' };
  }
  if (checkout.status === 'open' && checkout.url !== null) {
    const isLongEnough = checkout.expiresAt.getTime() - now.getTime() >= LEAST_LEFT_MS;
    const isKept = await writeDatabase((db) => keepSession(db, order.id, checkout));
    if (isKept && isLongEnough) return { leadsTo: checkout.url };
    // Nobody is led there any more.
    checkout = await payments().closeCheckout(checkout.id);
  }
  if (checkout.isPaid || checkout.status === 'complete') {
    const taken = await fulfil(checkout, now);
    return { refused: taken === 'mismatch' ? 'refused' : 'paid' };
  }
  await writeDatabase((db) => expireOrder(db, order.id, checkout.id, now));
  return undefined;
}

/** The page of an order: the one that it has, or the one of its attempt. */
async function pageOf(
  order: OrderRow,
  isNew: boolean,
  { buyer }: OrderChoice,
  { language, origin, product }: OrderPlace,
): Promise<Checkout> {
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
    return create(await writeDatabase((db) => raiseAttempt(db, order)));
  }
}
