import type { IncomingMessage, ServerResponse } from 'node:http';

import type { StoredSession } from './objects';
import { readForm, sendPage } from './listener';
import type { StandIn } from './stand-in';

/** The page of a stand-in that runs alone, for developers: bare, in English. */
export async function servePage(
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
