import type Stripe from 'stripe';

import type { Checkout, ProviderDispute, ProviderEvent, ProviderRefund } from './model';

/** Under which name Stripe keeps our ids with its objects. */
export const METADATA = { order: 'order', attempt: 'attempt', refund: 'refund' } as const;

/** What the webhook endpoint is to be subscribed to, and what reconciliation asks for. */
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

function disputeOf({ id, payment_intent, amount, status }: Stripe.Dispute): ProviderDispute {
  return {
    id,
    paymentId: idOf(payment_intent),
    amountCents: amount,
    status: DISPUTE_STATUS[status] ?? 'open',
  };
}

export function eventOf(event: Stripe.Event): ProviderEvent {
  const { id, type, created } = event;
  return { id, type, createdAt: instantOf(created), ...subjectOf(event) };
}

function subjectOf(event: Stripe.Event): Pick<ProviderEvent, 'checkout' | 'refund' | 'dispute'> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return { checkout: checkoutOf(event.data.object) };
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return { refund: refundOf(event.data.object) };
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return { dispute: disputeOf(event.data.object) };
    default:
      return {};
  }
}
