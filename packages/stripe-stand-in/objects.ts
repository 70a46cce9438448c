import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/** The version of Stripe's interface that is spoken. */
export const API_VERSION = '2026-10-28.endive';

/** Of Stripe's Checkout Session what the stand-in has. */
export type SessionObject = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'adaptive_pricing'
  | 'amount_subtotal'
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'customer_email'
  | 'expires_at'
  | 'livemode'
  | 'locale'
  | 'metadata'
  | 'mode'
  | 'payment_method_types'
  | 'payment_status'
  | 'success_url'
  | 'url'
> & { payment_intent: string | null; status: 'open' | 'complete' | 'expired' };

/** What is paid: a line of the page. */
export interface Line {
  name: string;
  description: string | null;
  quantity: number;
  amount: number;
}

export interface StoredSession {
  object: SessionObject;
  lines: Line[];
  paymentMetadata: Record<string, string>;
}

export type PaymentObject = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'amount_received' | 'created' | 'currency' | 'livemode' | 'metadata'
> & {
  latest_charge: string | null;
  status: 'requires_payment_method' | 'succeeded';
  last_payment_error: { type: string; code: string; decline_code: string; message: string } | null;
};

export interface StoredPayment {
  object: PaymentObject;
  /** What has gone back, or is on its way. */
  refunded: number;
  isDisputed: boolean;
}

export type RefundObject = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'failure_reason' | 'metadata' | 'reason'
> & { charge: string; payment_intent: string; status: 'pending' | 'succeeded' | 'failed' };

export type DisputeObject = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'livemode' | 'metadata' | 'reason'
> & { charge: string; payment_intent: string; status: 'needs_response' | 'won' | 'lost' };

export interface EventObject {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: SessionObject | PaymentObject | RefundObject | DisputeObject };
  livemode: false;
  pending_webhooks: number;
  request: null;
  type: EventType;
}

export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'payment_intent.payment_failed'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed'
  | 'charge.dispute.created'
  | 'charge.dispute.closed';

/** What was answered under an idempotency key. */
interface StoredAnswer {
  /** Of what was asked; another question under the same key is refused. */
  fingerprint: string;
  status: number;
  body: object;
}

/** What the stand-in remembers, by kind. */
export interface Kinds {
  session: StoredSession;
  payment: StoredPayment;
  refund: RefundObject;
  dispute: DisputeObject;
  event: EventObject;
  answer: StoredAnswer;
}
export type Kind = keyof Kinds;

/** An id that sorts by when it was made, also within one moment of the stand-in's clock. */
export function newId(prefix: string, now: Date, random = 9): string {
  const time = now.getTime().toString(36).padStart(9, '0');
  const turn = process.hrtime.bigint().toString(36).padStart(13, '0');
  return `${prefix}_${time}${turn}${randomBytes(random).toString('hex')}`;
}

/** Stripe's time: whole seconds. */
export const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** What Stripe's interface refuses, in its own words and codes. */
export class Problem extends Error {
  override name = 'Problem';
  constructor(
    message: string,
    readonly details: {
      status?: number;
      type?: 'invalid_request_error' | 'idempotency_error';
      code?: string;
      param?: string;
    } = {},
  ) {
    super(message);
  }

  /** As the interface says it. */
  get body(): object {
    const { type = 'invalid_request_error', code, param } = this.details;
    return {
      error: { type, message: this.message, ...(code && { code }), ...(param && { param }) },
    };
  }
}

/** There is none of this id. */
export function missing(what: string, id: string, { param = 'id', status = 404 } = {}): Problem {
  return new Problem(`No such ${what}: '${id}'`, { status, code: 'resource_missing', param });
}
