import type Stripe from 'stripe';

import type { Language } from '~/i18n/languages';

/* What the payment provider tells and is told, in the site's own words. */

export interface Checkout {
  id: string;
  /** Where the traveller pays: an address, or a path of this site; null once it is over. */
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  isPaid: boolean;
  amountCents: number | null;
  currency: string | null;
  /** The order that it was made for; null: it is not ours. */
  orderId: string | null;
  paymentId: string | null;
  expiresAt: Date;
}

export interface ProviderRefund {
  id: string;
  /** Ours; null: it was made at the provider's own site. */
  refundId: string | null;
  paymentId: string | null;
  amountCents: number;
  status: 'pending' | 'succeeded' | 'failed';
  failureCode: string | null;
}

/** A traveller's bank has taken money back, or wants to. */
export interface ProviderDispute {
  id: string;
  paymentId: string | null;
  amountCents: number;
  status: 'open' | 'won' | 'lost';
}

/** What the provider tells of; one that concerns none of these has none of them. */
export interface ProviderEvent {
  id: string;
  type: string;
  createdAt: Date;
  checkout?: Checkout;
  refund?: ProviderRefund;
  dispute?: ProviderDispute;
}

export interface CheckoutRequest {
  orderId: string;
  /** Grows when a new page is needed for the same order: one key, one page. */
  attempt: number;
  amountCents: number;
  currency: 'EUR' | 'USD';
  language: Language;
  product: { name: string; description: string };
  email: string;
  /** Absolute; `{CHECKOUT_SESSION_ID}` in it is replaced by the provider. */
  successUrl: string;
  cancelUrl: string;
}

/** The provider cannot be reached, or has a fault: the same may succeed later. */
export class PaymentUnavailable extends Error {
  override name = 'PaymentUnavailable';
}

/** The provider will not do this, however often it is asked with this key. */
export class PaymentRefused extends Error {
  override name = 'PaymentRefused';
  constructor(
    message: string,
    /** The provider's code, such as `charge_already_refunded`. */
    readonly code: string | null,
    /** Our own key is refused, whatever is asked: with another one it will be done. */
    readonly isKey = false,
  ) {
    super(message);
  }
}

/** A body that the provider has not signed, or not lately. */
export class ForgedEvent extends Error {
  override name = 'ForgedEvent';
}

export const METADATA = { order: 'order', attempt: 'attempt', refund: 'refund' } as const;

export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const satisfies Stripe.Event['type'][];

const idOf = (one: string | { id: string } | null | undefined): string | null =>
  typeof one === 'string' ? one : (one?.id ?? null);
const instantOf = (seconds: number) => new Date(seconds * 1000);

const SESSION_STATUS: Record<string, Checkout['status']> = {
  complete: 'complete',
  expired: 'expired',
};

export function checkoutOf(session: Stripe.Checkout.Session): Checkout {
  const { id, url, status, amount_total, currency, metadata, expires_at } = session;
  return {
    id,
    url,
    status: SESSION_STATUS[status ?? ''] ?? 'open',
    isPaid: session.payment_status === 'paid',
    amountCents: amount_total,
    currency: currency?.toUpperCase() ?? null,
    orderId: metadata?.[METADATA.order] ?? null,
    paymentId: session.payment_status === 'paid' ? idOf(session.payment_intent) : null,
    expiresAt: instantOf(expires_at),
  };
}

const REFUND_STATUS: Record<string, ProviderRefund['status']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

export function refundOf(refund: Stripe.Refund): ProviderRefund {
  const status = REFUND_STATUS[refund.status ?? ''] ?? 'pending';
  return {
    id: refund.id,
    refundId: refund.metadata?.[METADATA.refund] ?? null,
    paymentId: idOf(refund.payment_intent),
    amountCents: refund.amount,
    status,
    failureCode: status === 'failed' ? (refund.failure_reason ?? refund.status) : null,
  };
}

/** An inquiry that ends (`warning_closed`), or a dispute that was prevented, has taken nothing. */
const DISPUTE_STATUS: Record<string, ProviderDispute['status']> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
};

const disputeOf = ({ id, payment_intent, amount, status }: Stripe.Dispute): ProviderDispute => ({
  id,
  paymentId: idOf(payment_intent),
  amountCents: amount,
  status: DISPUTE_STATUS[status] ?? 'open',
});

export function eventOf(event: Stripe.Event): ProviderEvent {
  const { id, type, created } = event;
  return { id, type, createdAt: instantOf(created), ...subjectOf(event) };
}

function subjectOf({ type, data: { object } }: Stripe.Event): Partial<ProviderEvent> {
  if (!EVENT_TYPES.some((known) => known === type)) return {};
  if (object.object === 'checkout.session') return { checkout: checkoutOf(object) };
  if (object.object === 'refund') return { refund: refundOf(object) };
  return object.object === 'dispute' ? { dispute: disputeOf(object) } : {};
}
