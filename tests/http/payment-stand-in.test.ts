import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { addSeconds } from 'date-fns';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startStandAlone } from '~/payment/stand-in/stand-alone';
import { startStripe, type Stripe as StandIn } from '../payments';

let time: Date;
let standIn: StandIn;
let sdk: Stripe;
beforeEach(async () => {
  time = new Date('2026-11-26T10:00:00.500Z');
  standIn = await startStripe(() => time);
  sdk = clientOf(standIn.variables);
});
afterEach(() => standIn.stop());

function clientOf(
  { STRIPE_API_BASE, STRIPE_SECRET_KEY }: StandIn['variables'],
  key = STRIPE_SECRET_KEY,
): Stripe {
  const { hostname, port } = new URL(STRIPE_API_BASE);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
}

const UNIT_AMOUNT = 'line_items[0][price_data][unit_amount]';
const METHODS = 'payment_method_types[0]';
const seconds = (minutes: number) => Math.floor(time.getTime() / 1000) + minutes * 60;

const ORDER = (): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  allowed_payment_method_types: ['card'],
  adaptive_pricing: { enabled: false },
  expires_at: seconds(31),
  locale: 'de',
  client_reference_id: 'order-1',
  customer_email: 'ada@example.eu',
  metadata: { order: 'order-1' },
  payment_intent_data: { metadata: { order: 'order-1' } },
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: 'eur',
        unit_amount: 3995,
        product_data: { name: 'ESTA – Standard', description: 'TRV-1234 & mehr' },
      },
    },
  ],
  success_url: 'http://localhost:1/success?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost:1/payment',
});

const open = () => sdk.checkout.sessions.create(ORDER());
/** The SDK says this of a refusal. */
const expectRefusal = (call: Promise<unknown>, statusCode: number, more: object = {}) =>
  expect(call).rejects.toMatchObject({ statusCode, ...more });

describe('a session', () => {
  it('is what was asked for, and keeps no address of the payer', async () => {
    const session = await open();
    expect(session).toMatchObject({
      object: 'checkout.session',
      amount_total: 3995,
      currency: 'eur',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      expires_at: seconds(31),
      metadata: { order: 'order-1' },
      customer_email: null,
    });
    expect(session.lastResponse.apiVersion).toBe(Stripe.API_VERSION);
    expect(await sdk.checkout.sessions.retrieve(session.id)).toEqual(session);
  });

  it.each<[string, object, object, string, string?]>([
    ['too little', { unit_amount: 49 }, {}, 'line_items', 'amount_too_small'],
    ['part cents', { unit_amount: 39.95 }, {}, UNIT_AMOUNT, 'parameter_invalid_integer'],
    ['capital letters', { currency: 'EUR' }, {}, 'line_items[0][price_data][currency]'],
    ['an end that is over', {}, { expires_at: 1 }, 'expires_at'],
    ['no address', {}, { customer_email: 'nobody' }, 'customer_email', 'email_invalid'],
    ['no way back', {}, { success_url: undefined }, 'success_url', 'parameter_missing'],
    ['another list', {}, { payment_method_types: ['card'] }, METHODS, 'parameter_unknown'],
    ['another mode', {}, { mode: 'setup' }, 'mode'],
  ])('is refused for %s', async (_what, price, change, param, code) => {
    const order = { ...ORDER(), ...change };
    Object.assign(order.line_items?.[0]?.price_data ?? {}, price);
    const refused = { type: 'StripeInvalidRequestError', param, code };
    await expectRefusal(sdk.checkout.sessions.create(order), 400, refused);
  });

  it('is made once for a key, however often it is asked for', async () => {
    const [asked, key] = [ORDER(), { idempotencyKey: 'order 1' }];
    const ask = (more = {}) => sdk.checkout.sessions.create({ ...asked, ...more }, key);
    const [one, two] = await Promise.all([ask(), ask()]);
    const later = await ask();
    expect([two.id, later.id]).toEqual([one.id, one.id]);
    expect(later.lastResponse.headers['idempotent-replayed']).toBe('true');
    await expectRefusal(ask({ locale: 'fr' }), 400, { type: 'StripeIdempotencyError' });
    expect(await standIn.sessions()).toHaveLength(1);
  });

  it('that nobody has made is not found, and nothing is told without the key', async () => {
    const nothing = sdk.checkout.sessions.retrieve('cs_test_none');
    await expectRefusal(nothing, 404, { code: 'resource_missing' });
    const stranger = clientOf(standIn.variables, 'sk_test_another');
    await expectRefusal(stranger.checkout.sessions.list(), 401);
  });
});

it('a refund gives back what is left, in parts, and no more', async () => {
  const { id } = await open();
  const payment_intent = (await standIn.pay(id)).payment_intent ?? '';
  const part = await sdk.refunds.create({ payment_intent, amount: 1000 });
  expect(part).toMatchObject({ object: 'refund', amount: 1000, status: 'succeeded' });
  const tooMuch = sdk.refunds.create({ payment_intent, amount: 2996 });
  await expectRefusal(tooMuch, 400, { param: 'amount' });
  const rest = await sdk.refunds.create({ payment_intent, metadata: { refund: 'r' } });
  expect(rest).toMatchObject({ amount: 2995, metadata: { refund: 'r' }, currency: 'eur' });
  expect(await sdk.refunds.retrieve(rest.id)).toEqual(rest);
  const again = sdk.refunds.create({ payment_intent, amount: 1 });
  await expectRefusal(again, 400, { code: 'charge_already_refunded' });
});

describe('delivery', () => {
  it('goes on until an event is taken, and then ends', async () => {
    const came: { signature: string; type: string }[] = [];
    const statuses = [500, 404, 200];
    const receiver = createServer((incoming: IncomingMessage, outgoing) => {
      let body = '';
      incoming.on('data', (chunk) => (body += String(chunk)));
      incoming.on('end', () => {
        const { type } = JSON.parse(body) as { type: string };
        came.push({ signature: String(incoming.headers['stripe-signature']), type });
        outgoing.writeHead(statuses[came.length - 1] ?? 200).end();
      });
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const { port } = receiver.address() as AddressInfo;
    const own = await startStandAlone({
      clock: () => time,
      webhook: `http://127.0.0.1:${port}/hook`,
    });
    const { secretKey } = own.standIn.options;
    const client = clientOf({ ...standIn.variables, STRIPE_API_BASE: own.address }, secretKey);
    const { id } = await client.checkout.sessions.create(ORDER());
    await own.standIn.tryCard(id, 'paid');
    const pass = () => {
      time = addSeconds(time, 1);
      return own.standIn.events();
    };
    await expect
      .poll(pass, { timeout: 15_000 })
      .toMatchObject([{ type: 'checkout.session.completed', pending_webhooks: 0 }]);
    expect(came.map(({ type }) => type)).toEqual(Array(3).fill('checkout.session.completed'));
    expect(came[0]?.signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    await own.stop();
    receiver.close();
  });
});

describe('the page of a stand-in that runs alone', () => {
  it('pays, declines and closes', async () => {
    const { id, url } = await open();
    const press = (intent: string) => {
      const body = new URLSearchParams({ intent });
      return fetch(url ?? '', { method: 'POST', body, redirect: 'manual' });
    };
    expect(await (await fetch(url ?? '')).text()).toContain('TRV-1234 &amp; mehr: 39.95 EUR');
    expect((await press('close')).headers.get('Location')).toBe(ORDER().cancel_url);
    const declined = await press('decline');
    expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('declined')]); // prettier-ignore
    const done = await press('pay');
    const success = `http://localhost:1/success?session=${id}`;
    expect([done.status, done.headers.get('Location')]).toEqual([303, success]);
    expect(await (await fetch(url ?? '')).text()).toContain('This page is complete.');
    expect((await fetch(`${standIn.variables.STRIPE_API_BASE}/checkout/none`)).status).toBe(404);
  });
});
