import { createHash } from 'node:crypto';

import { addHours, addMinutes } from 'date-fns';
import { z } from 'zod/v4';

import { newId, Problem, type RefundObject, seconds, type SessionObject } from './objects';
import { add, type Context, emit, mustFind, type Stored } from './store';

export interface Call {
  method: string;
  path: string;
  parameters: URLSearchParams;
  idempotencyKey: string | undefined;
}

export type CallAnswer = { status: number; body: object; isReplayed?: boolean };

type Work = (context: Context, given: URLSearchParams, id: string) => Promise<object>;

const CALLS: Readonly<Record<string, Work>> = {
  'POST /v1/checkout/sessions': createSession,
  'GET /v1/checkout/sessions': (context, given) => listOf(context, 'session', given),
  'GET /v1/checkout/sessions/:id': async (context, _, id) =>
    (await findSession(context, id)).data.object,
  'POST /v1/checkout/sessions/:id/expire': (context, _, id) => expireSession(context, id),
  'POST /v1/refunds': createRefund,
  'GET /v1/refunds': (context, given) => listOf(context, 'refund', given),
  'GET /v1/refunds/:id': async (context, _, id) => (await mustFind(context, 'refund', id)).data,
  'GET /v1/events': (context, given) => listOf(context, 'event', given),
};
const WITH_ID = /^(\/v1\/(?:checkout\/sessions|refunds)\/)([^/]+)/;

export async function answerCall(
  context: Context,
  { method, path, parameters, idempotencyKey }: Call,
): Promise<CallAnswer> {
  const work = CALLS[`${method} ${path.replace(WITH_ID, '$1:id')}`];
  const fingerprint = hash(`${method} ${path}?${parameters}`);
  const key = method === 'POST' && idempotencyKey ? hash(idempotencyKey) : undefined;
  try {
    if (!work) throw new Problem(`Unrecognized request URL (${method}: ${path}).`, { status: 404 });
    const before = key && (await context.objects.find('answer', key));
    if (before) {
      const { body } = before.data;
      if (before.data.fingerprint === fingerprint) return { status: 200, body, isReplayed: true };
      const message = `The key '${idempotencyKey}' was used with other parameters.`;
      throw new Problem(message, { type: 'idempotency_error' });
    }
    const body = await work(context, parameters, decodeURIComponent(WITH_ID.exec(path)?.[2] ?? ''));
    if (key) await add(context, 'answer', key, { fingerprint, body });
    return { status: 200, body };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.details.status ?? 400, body: error.body };
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/* What each call may say. The message of a rule is Stripe's code for what breaks it, where it has one. */

const text = z.string('parameter_missing').min(1, 'parameter_invalid_empty').max(5000);
const whole = text.regex(/^\d{1,12}$/, 'parameter_invalid_integer').transform(Number);
const positive = whole.refine((value) => value >= 1, 'parameter_invalid_integer');
const address = text.regex(/^https?:\/\/\S+$/);
const metadata = z.record(z.string(), text).default({});

const SESSION = z.strictObject({
  mode: z.literal('payment'),
  allowed_payment_method_types: z.record(z.string(), z.literal('card')).optional(),
  adaptive_pricing: z.strictObject({ enabled: z.enum(['true', 'false']) }).optional(),
  locale: text.regex(/^(auto|[a-z]{2}(-\w+)?)$/).optional(),
  client_reference_id: text.max(200).optional(),
  // Looked at and forgotten: the stand-in writes to nobody, and keeps nothing personal.
  customer_email: text.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'email_invalid').optional(),
  metadata,
  payment_intent_data: z.strictObject({ metadata }).optional(),
  line_items: z.strictObject({
    0: z.strictObject({
      quantity: z.literal('1'),
      price_data: z.strictObject({
        currency: z.enum(['eur', 'usd']),
        unit_amount: whole,
        product_data: z.strictObject({ name: text, description: text.optional() }),
      }),
    }),
  }),
  expires_at: whole,
  success_url: address,
  cancel_url: address,
});

const REFUND = z.strictObject({
  payment_intent: text,
  amount: positive,
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
});

const LIST = z.strictObject({
  limit: positive.refine((limit) => limit <= 100).default(10),
  starting_after: text.optional(),
  types: z.record(z.string(), text).default({}),
  created: z.strictObject({ gte: whole }).optional(),
  payment_intent: text.optional(),
});

/** @throws {Problem} for the first parameter that is wrong, missing or unknown */
function read<Schema extends z.ZodType>(schema: Schema, given: URLSearchParams): z.output<Schema> {
  const { data, error } = schema.safeParse(nested(given));
  if (!error) return data;
  const [issue] = error.issues;
  const isUnknown = issue?.code === 'unrecognized_keys';
  const [first, ...inner] = [...(issue?.path ?? []), ...(isUnknown ? issue.keys : [])].map(String);
  const param = [first, ...inner.map((key) => `[${key}]`)].join('');
  const code = isUnknown ? 'parameter_unknown' : (issue?.message ?? '');
  throw new Problem(`Invalid ${param}`, { param, ...(/^[a-z_]+$/.test(code) && { code }) });
}

type Tree = { [name: string]: Tree | string };

/** The parameters of `line_items[0][quantity]=1` and the like as objects within each other. */
function nested(given: URLSearchParams): Tree {
  const tree: Tree = Object.create(null) as Tree;
  for (const [name, value] of given) {
    const path = name.replaceAll(']', '').split('[');
    const last = path.pop() ?? '';
    let place = tree;
    for (const key of path) {
      const inner = (place[key] ??= Object.create(null) as Tree);
      if (typeof inner === 'string') throw new Problem(`Invalid ${name}`, { param: name });
      place = inner;
    }
    place[last] = value;
  }
  return tree;
}

/** Stripe takes no less than this, in EUR and in USD. */
const LEAST_CENTS = 50;

async function createSession(context: Context, given: URLSearchParams): Promise<SessionObject> {
  const { now, pageOf } = context;
  const asked = read(SESSION, given);
  const { currency, unit_amount: amount, product_data: product } = asked.line_items[0].price_data;
  if (amount < LEAST_CENTS) {
    throw new Problem('At least 0.50', { param: 'line_items', code: 'amount_too_small' });
  }
  const { expires_at: end } = asked;
  if (end < seconds(addMinutes(now, 30)) || end > seconds(addHours(now, 24))) {
    throw new Problem('Between 30 minutes and 24 hours from now', { param: 'expires_at' });
  }
  // Nobody guesses it: who knows it may pay.
  const id = newId('cs_test', now, 24);
  const object: SessionObject = {
    id,
    object: 'checkout.session',
    amount_total: amount,
    cancel_url: asked.cancel_url,
    client_reference_id: asked.client_reference_id ?? null,
    created: seconds(now),
    currency,
    expires_at: end,
    metadata: asked.metadata,
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    success_url: asked.success_url,
    url: pageOf(id),
  };
  await add(context, 'session', id, { object, product }, new Date(end * 1000).toISOString());
  return object;
}

/** One whose time is over is ended first. @throws {Problem} if there is none */
export async function findSession(context: Context, id: string): Promise<Stored<'session'>> {
  const found = await mustFind(context, 'session', id, 'session');
  const { status, expires_at: end } = found.data.object;
  if (status !== 'open' || seconds(context.now) < end) return found;
  await endSession(context, found);
  return findSession(context, id);
}

async function expireSession(context: Context, id: string): Promise<SessionObject> {
  const found = await findSession(context, id);
  const { status } = found.data.object;
  if (status !== 'open') throw new Problem(`This Checkout Session is ${status}.`);
  return endSession(context, found);
}

async function endSession(context: Context, found: Stored<'session'>): Promise<SessionObject> {
  const object = { ...found.data.object, status: 'expired' as const, url: null };
  await context.objects.replace(found, { data: { ...found.data, object }, due_at: null });
  await emit(context, 'checkout.session.expired', object);
  return object;
}

async function createRefund(context: Context, given: URLSearchParams): Promise<RefundObject> {
  const { now, newRefunds } = context;
  const { payment_intent: paymentId, amount, metadata } = read(REFUND, given);
  const payment = await mustFind(context, 'payment', paymentId, 'payment_intent');
  const { currency, refunded, isDisputed } = payment.data;
  const left = payment.data.amount - refunded;
  if (isDisputed) throw new Problem('It was charged back.', { code: 'charge_disputed' });
  if (left <= 0) throw new Problem('It was refunded.', { code: 'charge_already_refunded' });
  if (amount > left) throw new Problem(`Only ${left} are left`, { param: 'amount' });
  const refund: RefundObject = {
    id: newId('re', now),
    object: 'refund',
    amount,
    created: seconds(now),
    currency,
    metadata,
    payment_intent: paymentId,
    status: newRefunds,
  };
  await context.objects.replace(payment, {
    data: { ...payment.data, refunded: refunded + amount },
  });
  await add(context, 'refund', refund.id, refund);
  await emit(context, 'refund.created', refund);
  return refund;
}

const LISTS = {
  event: '/v1/events',
  session: '/v1/checkout/sessions',
  refund: '/v1/refunds',
} as const;

async function listOf({ objects }: Context, kind: keyof typeof LISTS, given: URLSearchParams) {
  const { limit, starting_after: after, created, ...asked } = read(LIST, given);
  const types = Object.values(asked.types);
  const payment = asked.payment_intent;
  const all = (await objects.list(kind))
    .map(({ data }) => ('product' in data ? data.object : data))
    .filter((one) => one.created >= (created?.gte ?? 0))
    .filter((one) => types.length === 0 || ('type' in one && types.includes(one.type)))
    .filter((one) => !payment || ('payment_intent' in one && one.payment_intent === payment));
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(start, start + limit);
  return { object: 'list', url: LISTS[kind], has_more: all.length > start + limit, data };
}
