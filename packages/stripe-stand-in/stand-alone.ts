import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Gate, interfaceListener, readForm, sendPage } from './listener';
import { StandIn } from './stand-in';
import { startDelivery } from './delivery';
import type { StoredSession } from './objects';
import { memoryStore, type StandInStore } from './store';

interface StandAloneOptions {
  clock: () => Date;
  /** A port that is free; 0: the system chooses. */
  port?: number;
  store?: StandInStore;
  secretKey?: string;
  webhookSecret?: string;
  /** Where events are sent by itself; undefined: nowhere. */
  webhook?: string | undefined;
  gate?: Gate;
}

interface StandAlone {
  standIn: StandIn;
  /** For `STRIPE_API_BASE`. */
  address: string;
  stop: () => Promise<void>;
}

const secret = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;

/** Runs the stand-in by itself on a loopback port: its interface, and a page for each session. */
export async function startStandAlone({
  clock,
  port = 0,
  store = memoryStore(),
  secretKey = secret('sk_test'),
  webhookSecret = secret('whsec'),
  webhook,
  gate,
}: StandAloneOptions): Promise<StandAlone> {
  let address = '';
  const standIn = new StandIn({
    store,
    clock,
    secretKey,
    webhookSecret,
    pageOf: (id) => `${address}/checkout/${id}`,
    isDelivered: webhook !== undefined,
  });
  const callInterface = interfaceListener(standIn, console.error, gate);
  const server = createServer((incoming, outgoing) => {
    const [, id] = /^\/checkout\/([\w-]+)$/.exec(incoming.url ?? '') ?? [];
    if (id === undefined) return callInterface(incoming, outgoing);
    servePage(standIn, id, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopDelivery =
    webhook === undefined ? undefined : startDelivery(standIn, webhook, console.error);
  return {
    standIn,
    address,
    stop: async () => {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await Promise.all([closed, stopDelivery?.()]);
    },
  };
}

/** The page of a stand-in that runs alone, for developers: bare, in English. */
async function servePage(
  standIn: StandIn,
  id: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const session = await standIn.find(id);
  if (!session) return sendPage(outgoing, 404, page('There is no such page.'));
  if (incoming.method !== 'POST') return sendPage(outgoing, 200, sessionPage(session));
  const intent = (await readForm(incoming)).get('intent');
  const { object } = session;
  if (intent === 'close') return lead(outgoing, object.cancel_url);
  if (intent !== 'pay' && intent !== 'decline') return sendPage(outgoing, 400, page('Bad Request'));
  const after = await standIn.tryCard(id, intent === 'pay' ? 'paid' : 'declined');
  if (after.status === 'complete') return lead(outgoing, successUrl(after));
  const declined = '<p role="alert">Your card has been declined.</p>';
  if (after.status === 'open') return sendPage(outgoing, 402, sessionPage(session, declined));
  return sendPage(outgoing, 200, sessionPage({ ...session, object: after }));
}

/** Where a payer goes who has paid. */
export function successUrl({ id, success_url }: StoredSession['object']): string {
  return (success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id);
}

function lead(outgoing: ServerResponse, address: string | null): void {
  outgoing.writeHead(303, { Location: address ?? '/' }).end();
}

function sessionPage({ object, lines }: StoredSession, notice = ''): string {
  const { status, cancel_url, currency } = object;
  const items = lines.map(
    ({ name, description, amount }) =>
      `<p>${escaped(name)}${description ? `, ${escaped(description)}` : ''}: ${(amount / 100).toFixed(2)} ${String(currency).toUpperCase()}</p>`,
  );
  const buttons = ['pay', 'decline', 'close'].map(
    (intent) => `<button name="intent" value="${intent}">${intent}</button>`,
  );
  const rest =
    status === 'open'
      ? `<form method="post">${buttons.join(' ')}</form>`
      : `<p>This page is ${status}.</p><p><a href="${escaped(cancel_url ?? '/')}">Back</a></p>`;
  return page(`${notice}${items.join('')}${rest}`);
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><title>Stand-in of Stripe</title><h1>Stand-in of Stripe: no money moves</h1>${body}</html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
