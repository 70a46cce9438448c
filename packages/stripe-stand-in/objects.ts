import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

export const API_VERSION = '2026-10-28.endive';

export type SessionObject = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'expires_at'
  | 'metadata'
  | 'payment_status'
  | 'success_url'
  | 'url'
> & { payment_intent: string | null; status: 'open' | 'complete' | 'expired' };

export interface StoredSession {
  object: SessionObject;
  product: { name: string; description?: string | undefined };
}

export interface StoredPayment {
  amount: number;
  currency: string;
  refunded: number;
  isDisputed: boolean;
}

export type RefundObject = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'failure_reason' | 'metadata'
> & { payment_intent: string; status: 'pending' | 'succeeded' | 'failed' };

export type DisputeObject = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'created' | 'currency'
> & { payment_intent: string; status: 'needs_response' | 'won' | 'lost' };

export interface EventObject {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: SessionObject | RefundObject | DisputeObject };
  livemode: false;
  pending_webhooks: number;
  request: null;
  type: EventType;
}

export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed'
  | 'charge.dispute.created'
  | 'charge.dispute.closed';

export interface Kinds {
  session: StoredSession;
  payment: StoredPayment;
  refund: RefundObject;
  dispute: DisputeObject;
  event: EventObject;
  /** Under an idempotency key; `fingerprint` of what was asked. */
  answer: { fingerprint: string; body: object };
}
export type Kind = keyof Kinds;

/** An id that sorts by when it was made, also within one moment of the stand-in's clock. */
export function newId(prefix: string, now: Date, random = 9): string {
  const time = now.getTime().toString(36).padStart(9, '0');
  const turn = process.hrtime.bigint().toString(36).padStart(13, '0');
  return `${prefix}_${time}${turn}${randomBytes(random).toString('hex')}`;
}

export const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

export class Problem extends Error {
  override name = 'Problem';
  constructor(
    message: string,
    readonly details: { status?: number; type?: string; code?: string; param?: string } = {},
  ) {
    super(message);
  }

  get body(): object {
    const { status: _, ...details } = this.details;
    return { error: { type: 'invalid_request_error', message: this.message, ...details } };
  }
}
