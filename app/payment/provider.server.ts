import type { AppLoadContext } from '@remix-run/node';
import { addMinutes } from 'date-fns';
import type Stripe from 'stripe';
import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { currentApp } from '~/current-app.server';
import { env, siteOrigin } from '~/env.server';
import { requireLoopback } from '~/http/loopback-host.server';
import { isDemonstrated } from '~/mode.server';
import {
  type Checkout,
  checkoutOf,
  type CheckoutRequest,
  EVENT_TYPES,
  eventOf,
  ForgedEvent,
  METADATA,
  type ProviderEvent,
  type ProviderRefund,
  refundOf,
} from './model';
import { asking, codeOf, isUsedKey, stripe, webhookSecret } from './stripe.server';

export const requireDemonstration = (request: Request, context: AppLoadContext) =>
  requireLoopback(isDemonstrated(), request, context);

/* Nothing else speaks to the payment provider. */

export * from './model';

/** Stripe's shortest, and two minutes by which clocks may differ and a call may be late. */
const OPEN_MINUTES = 32;
const KEY_S = 24 * 60 * 60;
const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);

/** For 30 minutes; the same page for the same attempt. @throws {PaymentUnavailable | PaymentRefused} */
export async function createCheckout(request: CheckoutRequest): Promise<Checkout> {
  const key = `order ${request.orderId} ${request.attempt}`;
  const session = await asking('create a checkout', async (sdk) => {
    const { sessions } = sdk.checkout;
    const parameters = sessionParameters(request);
    try {
      return await sessions.create(parameters, { idempotencyKey: key });
    } catch (error) {
      // Who has an address that Stripe does not believe in types another one there.
      if (codeOf(error) === 'email_invalid') {
        const { customer_email, ...others } = parameters;
        return await sessions.create(others, { idempotencyKey: `${key} without email` });
      }
      // It was made before, for another end: what was answered then was lost.
      const before = isUsedKey(error) ? await findAttempt(sdk, request) : undefined;
      if (!before) throw error;
      return before;
    }
  });
  return hereOf(session);
}

function sessionParameters(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const { orderId, attempt, amountCents, currency, product } = request;
  const metadata = { [METADATA.order]: orderId, [METADATA.attempt]: String(attempt) };
  return {
    mode: 'payment',
    // Of what is switched on at Stripe, cards alone: nothing that is paid days later.
    allowed_payment_method_types: ['card'],
    adaptive_pricing: { enabled: false },
    expires_at: seconds(addMinutes(now(), OPEN_MINUTES)),
    locale: request.language,
    client_reference_id: orderId,
    customer_email: request.email,
    metadata,
    payment_intent_data: { metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: amountCents,
          product_data: product,
        },
      },
    ],
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
  };
}

/** The page that was made for an attempt, as long as its key is remembered; the latest are first. */
async function findAttempt(sdk: Stripe, { orderId, attempt }: CheckoutRequest) {
  const since = seconds(now()) - KEY_S;
  for await (const session of sdk.checkout.sessions.list({ created: { gte: since }, limit: 100 })) {
    const { metadata } = session;
    const isOurs = metadata?.[METADATA.order] === orderId;
    if (isOurs && metadata?.[METADATA.attempt] === String(attempt)) return session;
  }
  return undefined;
}

/** @throws {PaymentUnavailable} @throws {PaymentRefused} if there is no such page */
export const findCheckout = async (id: string): Promise<Checkout> =>
  hereOf(await asking('find a checkout', (sdk) => sdk.checkout.sessions.retrieve(id)));

export async function closeCheckout(id: string): Promise<Checkout> {
  const session = await asking('close a checkout', async ({ checkout: { sessions } }) => {
    try {
      return await sessions.expire(id);
    } catch (error) {
      // Stripe refuses to close what is over, and has no code for it.
      const current = await sessions.retrieve(id);
      if (current.status === 'open') throw error;
      return current;
    }
  });
  return hereOf(session);
}

/** Sends money back; asked twice for the same refund and attempt, it is sent once. */
export async function createRefund(request: {
  refundId: string;
  attempt: number;
  paymentId: string;
  amountCents: number;
}): Promise<ProviderRefund> {
  const { refundId, attempt, paymentId, amountCents } = request;
  const parameters: Stripe.RefundCreateParams = {
    payment_intent: paymentId,
    amount: amountCents,
    reason: 'requested_by_customer',
    metadata: { [METADATA.refund]: refundId },
  };
  const once = { idempotencyKey: `refund ${refundId} ${attempt}` };
  return refundOf(await asking('create a refund', (sdk) => sdk.refunds.create(parameters, once)));
}

/** What has not come back, whatever its key. @param failed the try that is known to have failed */
export async function findSentRefund(request: {
  refundId: string;
  paymentId: string;
  failed: string | null;
}): Promise<ProviderRefund | undefined> {
  const { refundId, paymentId, failed } = request;
  const { data } = await asking('list refunds', (sdk) =>
    sdk.refunds.list({ payment_intent: paymentId, limit: 100 }),
  );
  return data
    .map(refundOf)
    .filter(({ id, status }) => id !== failed && status !== 'failed')
    .find((refund) => refund.refundId === refundId);
}

export const retrieveRefund = async (providerId: string): Promise<ProviderRefund> =>
  refundOf(await asking('find a refund', (sdk) => sdk.refunds.retrieve(providerId)));

const PROVIDER = {
  createCheckout,
  findCheckout,
  closeCheckout,
  createRefund,
  findSentRefund,
  findRefund: retrieveRefund,
  listEvents,
};

export type Payments = typeof PROVIDER;

declare module '~/current-app.server' {
  interface App {
    readonly payments?: Payments | undefined;
  }
}

export const payments = (): Payments => currentApp().payments ?? PROVIDER;

const TOLERANCE_S = 300;

const EVENT = z.object({
  id: z.string().min(1),
  type: z.string(),
  created: z.number(),
  data: z.object({ object: z.looseObject({}) }),
});

/** An event, once its signature over the body (to the byte) is checked. @throws {ForgedEvent} */
export async function verifyEvent(body: string, signature: string | null): Promise<ProviderEvent> {
  const [{ webhooks }, secret] = await Promise.all([stripe(), webhookSecret()]);
  let event: Stripe.Event;
  try {
    const at = now().getTime();
    event = webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_S, undefined, at);
  } catch {
    // What the SDK says repeats the body.
    throw new ForgedEvent('not signed by the provider, or too long ago');
  }
  if (!EVENT.safeParse(event).success) throw new ForgedEvent('signed, but no event');
  return local(eventOf(event));
}

export async function listEvents(since: Date): Promise<ProviderEvent[]> {
  return asking('list events', async (sdk) => {
    const events: ProviderEvent[] = [];
    const asked = { created: { gte: seconds(since) }, types: [...EVENT_TYPES], limit: 100 };
    for await (const event of sdk.events.list(asked)) events.push(local(eventOf(event)));
    return events.reverse();
  });
}

export function checkoutOrigin(): string {
  const { payment } = env();
  if (!payment) return siteOrigin();
  return payment.apiBase ?? 'https://checkout.stripe.com';
}

const hereOf = (session: Stripe.Checkout.Session) => withPath(checkoutOf(session));

const local = (event: ProviderEvent): ProviderEvent =>
  event.checkout ? { ...event, checkout: withPath(event.checkout) } : event;

/** A page of this site by its path: whoever came by another name of this machine stays there. */
function withPath(checkout: Checkout): Checkout {
  const start = `${siteOrigin()}/`;
  const { url } = checkout;
  if (!isDemonstrated() || !url?.startsWith(start)) return checkout;
  return { ...checkout, url: url.slice(start.length - 1) };
}
