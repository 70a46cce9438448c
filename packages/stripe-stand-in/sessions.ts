import { addHours, addMinutes } from 'date-fns';
import {
  type Line,
  missing,
  newId,
  type PaymentObject,
  Problem,
  seconds,
  type SessionObject,
} from './objects';
import { type Parameters, wrong } from './parameters';
import { type Objects, type Scene, type Stored, tell } from './store';

/** Stripe takes no less than this, in EUR and in USD. */
const LEAST_CENTS = 50;
const URL_PATTERN = /^https?:\/\/\S+$/;
const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** `POST /v1/checkout/sessions` */
export async function createSession(
  objects: Objects,
  parameters: Parameters,
  scene: Scene,
): Promise<SessionObject> {
  const { now, pageOf } = scene;
  // Nobody guesses it: who knows it may pay.
  const id = newId('cs_test', now, 24);
  parameters.required('mode', { pattern: /^payment$/ });
  if (parameters.list('allowed_payment_method_types').some((type) => type !== 'card')) {
    throw wrong('allowed_payment_method_types', undefined, 'The stand-in takes cards alone.');
  }
  // Looked at and forgotten: the stand-in writes to nobody, and keeps nothing personal.
  parameters.text('customer_email', { pattern: EMAIL_PATTERN, code: 'email_invalid' });
  const isAdaptive = parameters.text('adaptive_pricing[enabled]', { pattern: /^(true|false)$/ });
  const { lines, currency } = linesOf(parameters);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  if (total < LEAST_CENTS) {
    throw wrong('line_items', 'amount_too_small', 'The total must add up to at least 0.50.');
  }
  const object: SessionObject = {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: isAdaptive !== 'false' },
    amount_subtotal: total,
    amount_total: total,
    cancel_url: parameters.text('cancel_url', { pattern: URL_PATTERN }) ?? null,
    client_reference_id: parameters.text('client_reference_id', { most: 200 }) ?? null,
    created: seconds(now),
    currency,
    customer_email: null,
    expires_at: expiryOf(parameters, now),
    livemode: false,
    locale: parameters.text('locale', { pattern: /^(auto|[a-z]{2}(-\w+)?)$/ }) ?? null,
    metadata: parameters.map('metadata'),
    mode: 'payment',
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    success_url: parameters.required('success_url', { pattern: URL_PATTERN }),
    url: pageOf(id),
  };
  const paymentMetadata = parameters.map('payment_intent_data[metadata]');
  parameters.finish();
  await objects.add({
    id,
    kind: 'session',
    data: { object, lines, paymentMetadata },
    createdAt: now.toISOString(),
    dueAt: new Date(object.expires_at * 1000).toISOString(),
  });
  return object;
}

function linesOf(parameters: Parameters): { lines: Line[]; currency: string } {
  const lines: Line[] = [];
  let currency = '';
  for (let index = 0; ; index += 1) {
    const name = (part: string) => `line_items[${index}]${part}`;
    if (index > 0 && !parameters.has(name('[price_data][currency]'))) break;
    currency = parameters.required(name('[price_data][currency]'), { pattern: /^(eur|usd)$/ });
    const unit = parameters.integer(name('[price_data][unit_amount]'));
    const quantity = parameters.integer(name('[quantity]'));
    if (unit === undefined || unit < 0 || quantity === undefined || quantity < 1) {
      throw wrong(name('[price_data][unit_amount]'), 'parameter_invalid_integer', 'Invalid amount');
    }
    lines.push({
      name: parameters.required(name('[price_data][product_data][name]')),
      description: parameters.text(name('[price_data][product_data][description]')) ?? null,
      quantity,
      amount: unit * quantity,
    });
  }
  return { lines, currency };
}

function expiryOf(parameters: Parameters, now: Date): number {
  const given = parameters.integer('expires_at');
  if (given === undefined) return seconds(addHours(now, 24));
  if (given < seconds(addMinutes(now, 30)) || given > seconds(addHours(now, 24))) {
    throw wrong(
      'expires_at',
      undefined,
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
    );
  }
  return given;
}

/**
 * A session as it is now: one whose time is over is ended first.
 *
 * @throws {Problem} if there is none
 */
export async function findSession(
  objects: Objects,
  id: string,
  scene: Scene,
): Promise<Stored<'session'>> {
  const found = await objects.find('session', id);
  if (!found) throw missing('checkout.session', id, { param: 'session' });
  const isOver = seconds(scene.now) >= found.data.object.expires_at;
  if (found.data.object.status !== 'open' || !isOver) return found;
  await end(objects, found, scene);
  return findSession(objects, id, scene);
}

/** `POST /v1/checkout/sessions/:id/expire` */
export async function expireSession(
  objects: Objects,
  id: string,
  scene: Scene,
): Promise<SessionObject> {
  const found = await findSession(objects, id, scene);
  const { status } = found.data.object;
  if (status !== 'open') {
    throw new Problem(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${status}.`,
    );
  }
  return end(objects, found, scene);
}

async function end(
  objects: Objects,
  found: Stored<'session'>,
  scene: Scene,
): Promise<SessionObject> {
  const object = { ...found.data.object, status: 'expired' as const, url: null };
  await objects.replace(found, { data: { ...found.data, object }, dueAt: null });
  await tell(objects, scene, 'checkout.session.expired', object);
  return object;
}

/** What a payer does on the page of a session that is open; otherwise it stays as it is. */
export async function tryCard(
  objects: Objects,
  id: string,
  scene: Scene,
  outcome: 'paid' | 'declined',
): Promise<SessionObject> {
  const found = await findSession(objects, id, scene);
  const { object: session, lines, paymentMetadata } = found.data;
  if (session.status !== 'open') return session;
  const isPaid = outcome === 'paid';
  const amount = session.amount_total ?? 0;
  const paymentId = session.payment_intent ?? newId('pi', scene.now);
  const payment: PaymentObject = {
    id: paymentId,
    object: 'payment_intent',
    amount,
    amount_received: isPaid ? amount : 0,
    created: seconds(scene.now),
    currency: session.currency ?? '',
    last_payment_error: isPaid ? null : DECLINED,
    latest_charge: chargeOf(paymentId),
    livemode: false,
    metadata: paymentMetadata,
    status: isPaid ? 'succeeded' : 'requires_payment_method',
  };
  const data = { object: payment, refunded: 0, isDisputed: false };
  const before = await objects.find('payment', paymentId);
  if (before) await objects.replace(before, { data });
  else {
    const createdAt = scene.now.toISOString();
    await objects.add({ id: paymentId, kind: 'payment', data, createdAt, dueAt: null });
  }
  const object: SessionObject = {
    ...session,
    payment_intent: paymentId,
    ...(isPaid && { payment_status: 'paid', status: 'complete', url: null }),
  };
  await objects.replace(found, {
    data: { object, lines, paymentMetadata },
    ...(isPaid && { dueAt: null }),
  });
  if (isPaid) await tell(objects, scene, 'checkout.session.completed', object);
  else await tell(objects, scene, 'payment_intent.payment_failed', payment);
  return object;
}

const DECLINED = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card has been declined.',
};

/** A payment's charge. */
export const chargeOf = (paymentId: string) => paymentId.replace(/^pi_/, 'ch_');
