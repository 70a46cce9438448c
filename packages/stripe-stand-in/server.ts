import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CallAnswer } from './calls';
import { startDelivery } from './delivery';
import { API_VERSION, Problem, type StoredSession } from './objects';
import { StandIn, type StandInOptions } from './stand-in';
import { memoryStore } from './store';

/** Stripe's interface over HTTP: forms in, JSON out, a key as the bearer. */
export const interfaceListener =
  (standIn: StandIn, report: (error: unknown) => void): RequestListener =>
  (incoming, outgoing) => {
    const key = incoming.headers['idempotency-key'];
    const send = ({ status, body, isReplayed }: CallAnswer) => {
      outgoing
        .writeHead(status, {
          'Content-Type': 'application/json',
          'Request-Id': `req_${randomBytes(9).toString('hex')}`,
          'Stripe-Version': incoming.headers['stripe-version'] ?? API_VERSION,
          ...(key !== undefined && { 'Idempotency-Key': key }),
          ...(isReplayed && { 'Idempotent-Replayed': 'true' }),
        })
        .end(JSON.stringify(body));
    };
    answer(standIn, incoming).then(send, (error: unknown) => {
      report(error);
      const body = { error: { type: 'api_error', message: 'The stand-in failed.' } };
      send({ status: 500, body });
    });
  };

async function answer(standIn: StandIn, incoming: IncomingMessage): Promise<CallAnswer> {
  const { method = '', url = '/', headers } = incoming;
  if (!isKey(headers.authorization, standIn.options.secretKey)) {
    return { status: 401, body: new Problem('Invalid API Key provided').body };
  }
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const key = headers['idempotency-key'];
  return standIn.call({
    method,
    path: pathname,
    parameters: method === 'POST' ? new URLSearchParams(await text(incoming)) : searchParams,
    idempotencyKey: typeof key === 'string' ? key : undefined,
  });
}

/** Compared by their hashes, which takes the same time whatever is given. */
function isKey(given: string | undefined, key: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given ?? ''), hash(`Bearer ${key}`));
}

type StandAloneOptions = Pick<StandInOptions, 'clock'> &
  Partial<StandInOptions> & { port?: number; webhook?: string | undefined };

const secret = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;

/** On a loopback port: its interface, and for each session an address that pays whoever opens it. */
export async function startStandAlone({ port = 0, webhook, ...given }: StandAloneOptions) {
  let address = '';
  const standIn = new StandIn({
    store: memoryStore(),
    secretKey: secret('sk_test'),
    webhookSecret: secret('whsec'),
    pageOf: (id) => `${address}/checkout/${id}`,
    ...given,
  });
  const callInterface = interfaceListener(standIn, console.error);
  const server = createServer((incoming, outgoing) => {
    const [, id] = /^\/checkout\/([\w-]+)$/.exec(incoming.url ?? '') ?? [];
    if (id === undefined) return callInterface(incoming, outgoing);
    standIn.tryCard(id, 'paid').then(
      (object) => outgoing.writeHead(303, { Location: successUrl(object) }).end(),
      () => outgoing.writeHead(404).end(),
    );
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopDelivery =
    webhook === undefined ? undefined : startDelivery(standIn, webhook, console.error);
  return {
    standIn,
    address,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await Promise.all([closed, stopDelivery?.()]);
    },
  };
}

export const successUrl = ({ id, success_url }: StoredSession['object']): string =>
  (success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id);
