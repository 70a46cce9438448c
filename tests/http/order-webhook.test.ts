import { once } from 'node:events';

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import type { Site } from '../production-server';
import { awaitingPayment, ORDER, PaidSites } from './awaiting-payment';
import { RawSockets } from './raw-sockets';
import { addPerson, signedIn } from './signed-in';

const WEBHOOK = '/webhooks/stripe';

let sites: PaidSites;
let site: Site;
beforeAll(async () => {
  sites = await PaidSites.begin();
  site = await sites.start({ METRICS_PORT: '0' });
});
afterAll(async () => {
  await site.stop();
  await sites.end();
});

let id: string;
let body: string;
beforeEach(async () => {
  const person = addPerson(site);
  id = await awaitingPayment(person);
  const pressed = await signedIn(site, person).post(`/application/${id}/payment`, ORDER);
  expect(pressed.status).toBe(303);
  await sites.stripe.pay(pressed.headers.get('Location')?.split('/').at(-1) ?? '');
  body = JSON.stringify((await sites.stripe.events()).at(-1));
});

const sign = (text: string, options?: { secret: string }) => sites.stripe.sign(text, options);
const send = (text: string | Uint8Array<ArrayBuffer>, signature?: string) =>
  fetch(site.origin + WEBHOOK, {
    method: 'POST',
    body: text,
    redirect: 'manual',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(signature !== undefined && { 'Stripe-Signature': signature }),
    },
  });
const stateOf = () => site.query('select state from applications where id = ?', id)[0]?.['state'];
const events = () => site.query('select id, type, outcome, processed_at from payment_events');

it('is taken, and taken once', async () => {
  const { id: event } = JSON.parse(body) as { id: string };
  // A large one, as many times as one is taken of a client at once.
  const large = body + ' '.repeat(51_200);
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(large, sign(large))));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect([await answers[0]?.text(), stateOf()]).toEqual(['', 'paid']);
  const row = events().find((one) => one['id'] === event);
  expect(row).toMatchObject({ type: 'checkout.session.completed', outcome: 'fulfilled' });
  expect(site.query('select id from orders where application_id = ?', id)).toHaveLength(1);
  const metrics = `http://127.0.0.1:${String(site.logged('metrics')[0]?.['port'])}/metrics`;
  const counted = await (await fetch(metrics)).text();
  expect(counted).toContain('esta_payments_total{outcome="fulfilled"} 1\n');
  expect(site.log()).not.toMatch(/cs_test|Domkloster|whsec|sk_test/);
});

type Sent = () => Parameters<typeof send>;
it.each<[string, Sent]>([
  ['one of another secret', () => [body, sign(body, { secret: 'whsec_another1' })]],
  ['a body that was changed', () => [body.replace('"paid"', '"PAID"'), sign(body)]],
  ['a byte order mark before it', () => [`\uFEFF${body}`, sign(body)]],
  ['bytes that are no text', () => [new Uint8Array([0xff, 0xfe, 0x00]), sign('\uFFFD\uFFFD\0')]],
  ['signed text that is no event', () => ['no JSON', sign('no JSON')]],
  ['signed nothing', () => ['null', sign('null')]],
  ...['id', 'data'].map((field): [string, Sent] => {
    const rest = () => JSON.stringify({ ...(JSON.parse(body) as object), [field]: undefined });
    return [`a signed event without ${field}`, () => [rest(), sign(rest())]];
  }),
])('with %s is refused with 400, and changes nothing', async (_, make) => {
  const before = events().length;
  const response = await send(...make());
  expect([response.status, await response.text()]).toEqual([400, '']);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(events()).toHaveLength(before);
  expect(stateOf()).toBe('awaiting_payment');
});

it('comes again after the database was away', async () => {
  site.execute('alter table payment_events rename to away');
  try {
    expect([(await send(body, sign(body))).status, stateOf()]).toEqual([500, 'awaiting_payment']);
  } finally {
    site.execute('alter table away rename to payment_events');
  }
  expect([(await send(body, sign(body))).status, stateOf()]).toEqual([200, 'paid']);
});

const sockets = new RawSockets();
afterEach(() => sockets.closeAll());
function begin(rest: string) {
  const socket = sockets.dial(site.origin);
  const head = [`Content-Length: ${Buffer.byteLength(body)}`, `Stripe-Signature: ${sign(body)}`];
  const lines = [`POST ${WEBHOOK} HTTP/1.1`, ...head, 'Host: pay.example.eu:8443', '', rest];
  socket.write(lines.join('\r\n'));
  return socket;
}

it('that is shorter than it says, or broken off, changes nothing', async () => {
  const socket = begin(body.slice(0, -1));
  await new Promise<void>((resolve) => socket.end(resolve));
  socket.destroy();
  expect([(await send('x', 'y')).status, stateOf()]).toEqual([400, 'awaiting_payment']);
  const first = await once(begin(`${body}GET / HTTP/1.1\r\nHost: a\r\n\r\n`), 'data');
  expect(String(first[0])).toMatch(/^HTTP\/1.1 200 OK/);
  expect(stateOf()).toBe('paid');
});
