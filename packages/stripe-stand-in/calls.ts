import { createHash } from 'node:crypto';
import { Parameters } from './parameters';
import { createRefund, findRefund } from './refunds';
import { createSession, expireSession, findSession } from './sessions';
import { Problem, type SessionObject } from './objects';
import type { Objects, Scene } from './store';

/** A call of the interface. */
export interface Call {
  method: string;
  path: string;
  parameters: URLSearchParams;
  idempotencyKey: string | undefined;
}

export interface CallAnswer {
  status: number;
  body: object;
  /** It was answered before, under this idempotency key. */
  isReplayed?: boolean;
}

type Work = (objects: Objects, parameters: Parameters, scene: Scene, id: string) => Promise<object>;

const CALLS: [method: string, path: RegExp, work: Work][] = [
  ['POST', /^\/v1\/checkout\/sessions$/, createSession],
  ['GET', /^\/v1\/checkout\/sessions$/, (objects, given) => listOf(objects, 'session', given)],
  [
    'GET',
    /^\/v1\/checkout\/sessions\/([^/]+)$/,
    async (objects, _given, scene, id) => (await findSession(objects, id, scene)).data.object,
  ],
  [
    'POST',
    /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/,
    (objects, _given, scene, id) => expireSession(objects, id, scene),
  ],
  ['POST', /^\/v1\/refunds$/, createRefund],
  ['GET', /^\/v1\/refunds$/, (objects, given) => listOf(objects, 'refund', given)],
  [
    'GET',
    /^\/v1\/refunds\/([^/]+)$/,
    async (objects, _given, _scene, id) => (await findRefund(objects, id)).data,
  ],
  ['GET', /^\/v1\/events$/, (objects, given) => listOf(objects, 'event', given)],
];

/** Answers a call that comes with the right key, as Stripe does. */
export async function answerCall(
  objects: Objects,
  { method, path, parameters, idempotencyKey }: Call,
  scene: Scene,
): Promise<CallAnswer> {
  const [, pattern, work] = CALLS.find(([known, one]) => known === method && one.test(path)) ?? [];
  const fingerprint = hash(`${method} ${path}?${parameters}`);
  const key = method === 'POST' && idempotencyKey ? hash(idempotencyKey) : undefined;
  try {
    if (!work) throw new Problem(`Unrecognized request URL (${method}: ${path}).`, { status: 404 });
    const before = key && (await objects.find('answer', key));
    if (before) {
      if (before.data.fingerprint === fingerprint) return { ...before.data, isReplayed: true };
      throw new Problem(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotencyKey}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      );
    }
    const id = decodeURIComponent(pattern?.exec(path)?.[1] ?? '');
    const body = await work(objects, new Parameters(parameters), scene, id);
    if (key) {
      // What was refused may be asked again.
      const data = { fingerprint, status: 200, body };
      const createdAt = scene.now.toISOString();
      await objects.add({ id: key, kind: 'answer', data, createdAt, dueAt: null });
    }
    return { status: 200, body };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.details.status ?? 400, body: error.body };
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const MOST = 100;

const LISTS = {
  event: '/v1/events',
  session: '/v1/checkout/sessions',
  refund: '/v1/refunds',
} as const;

/** A page of a list, the latest first. */
async function listOf(objects: Objects, kind: keyof typeof LISTS, given: Parameters) {
  const [limit, after] = [given.integer('limit') ?? 10, given.text('starting_after')];
  const types = given.list('types');
  const [from, before] = [given.integer('created[gte]'), given.integer('created[lt]')];
  const status = given.text('status');
  const payment = given.text('payment_intent');
  given.finish();
  if (limit < 1 || limit > MOST) throw new Problem('Invalid integer', { param: 'limit' });
  const rows = await objects.list(kind);
  const all = rows
    .map(({ data }) => ('lines' in data ? data.object : data))
    .filter(({ created }) => created >= (from ?? 0) && created < (before ?? Infinity))
    .filter((one) => types.length === 0 || ('type' in one && types.includes(one.type)))
    .filter((one) => status === undefined || (one as SessionObject).status === status)
    .filter((one) => !payment || (one as SessionObject).payment_intent === payment);
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(start, start + limit);
  return { object: 'list', url: LISTS[kind], has_more: all.length > start + limit, data };
}
