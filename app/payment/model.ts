/* What the payment provider tells and is told, in the site's own words. */

import type { Language } from '~/i18n/languages';

/** A page at the provider's where one order is paid. */
export interface Checkout {
  id: string;
  /** Where the traveller pays: an address, or a path of this site; null once it is over. */
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  isPaid: boolean;
  amountCents: number | null;
  /** In capital letters, as orders have it. */
  currency: string | null;
  /** The order that it was made for; null: it is not ours. */
  orderId: string | null;
  /** What a refund names; null before it is paid. */
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
  /** `evt_…` */
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
  /** What the page and the receipt call it. */
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
