import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { addMinutes, addSeconds } from 'date-fns';
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
const paid = async () => {
  const { id } = await open();
  const { payment_intent } = await standIn.pay(id);
  return { id, payment_intent: payment_intent ?? '' };
};
const typesOf = async () => (await standIn.events()).map(({ type }) => type);

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

  it('is over once its time is, or when it is closed, and not twice', async () => {
    const { sessions } = sdk.checkout;
    const [late, closed] = [await open(), await open()];
    expect(await sessions.expire(closed.id)).toMatchObject({ status: 'expired', url: null });
    time = addMinutes(time, 30);
    expect(await sessions.retrieve(late.id)).toMatchObject({ status: 'open' });
    time = addSeconds(time, 61);
    expect(await sessions.retrieve(late.id)).toMatchObject({ status: 'expired' });
    await expectRefusal(sessions.expire(late.id), 400);
    expect((await standIn.pay(late.id)).payment_status).toBe('unpaid');
    expect(await typesOf()).toEqual(Array(2).fill('checkout.session.expired'));
  });

  it('is paid after a card was declined, and cannot be closed then', async () => {
    const { id } = await open();
    expect(await standIn.decline(id)).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    const [once, again] = await Promise.all([standIn.pay(id), standIn.pay(id)]);
    expect(again).toEqual(once);
    expect(once).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    expect(once.payment_intent).toMatch(/^pi_/);
    await expectRefusal(sdk.checkout.sessions.expire(id), 400);
    expect(await typesOf()).toEqual([
      'payment_intent.payment_failed',
      'checkout.session.completed',
    ]);
  });

  it('that nobody has made is not found, and nothing is told without the key', async () => {
    const nothing = sdk.checkout.sessions.retrieve('cs_test_none');
    await expectRefusal(nothing, 404, { code: 'resource_missing' });
    const stranger = clientOf(standIn.variables, 'sk_test_another');
    await expectRefusal(stranger.checkout.sessions.list(), 401);
  });
});

describe('a refund', () => {
  it('gives back what is left, in parts, and no more', async () => {
    const { payment_intent } = await paid();
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

  it('fails later, and can be sent anew', async () => {
    const { payment_intent } = await paid();
    standIn.newRefunds('pending');
    const { id, status } = await sdk.refunds.create({ payment_intent });
    expect(status).toBe('pending');
    await standIn.failRefund(id);
    const failed = { status: 'failed', failure_reason: 'expired_or_canceled_card' };
    expect(await sdk.refunds.retrieve(id)).toMatchObject(failed);
    await standIn.settleRefund((await sdk.refunds.create({ payment_intent })).id);
    const ofRefunds = ['created', 'updated', 'failed', 'created', 'updated'];
    const expected = ofRefunds.map((what) => `refund.${what}`);
    expect(await typesOf()).toEqual(['checkout.session.completed', ...expected]);
  });

  it('of what was not paid, or is disputed, is refused', async () => {
    const { payment_intent: declined } = await standIn.decline((await open()).id);
    await expectRefusal(sdk.refunds.create({ payment_intent: declined ?? '' }), 400);
    const { id: session, payment_intent } = await paid();
    const dispute = await standIn.dispute(session);
    const refund = () => sdk.refunds.create({ payment_intent });
    await expectRefusal(refund(), 400, { code: 'charge_disputed' });
    await standIn.closeDispute(dispute, 'won');
    expect(await refund()).toMatchObject({ amount: 3995 });
  });
});

describe('events', () => {
  it('are listed since an instant, by type, page by page', async () => {
    await paid();
    time = addMinutes(time, 1);
    const since = seconds(0);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await paid()).id);
    const found: string[] = [];
    const types = ['checkout.session.completed'];
    for await (const event of sdk.events.list({ created: { gte: since }, types, limit: 2 })) {
      found.push((event.data.object as Stripe.Checkout.Session).id);
    }
    expect(found).toEqual(ids.reverse());
    expect((await sdk.events.list({ types: ['refund.created'] })).data).toEqual([]);
  });

  it('are signed as the SDK wants it, for five minutes', async () => {
    await paid();
    const [event] = await standIn.events();
    const body = JSON.stringify(event);
    const { STRIPE_WEBHOOK_SECRET: secret } = standIn.variables;
    const read = (header: string, lateMs = 0) =>
      sdk.webhooks.constructEvent(body, header, secret, 300, undefined, time.getTime() + lateMs);
    expect(read(standIn.sign(body))).toEqual(event);
    expect(read(standIn.sign(body), 300_000)).toEqual(event);
    expect(() => read(standIn.sign(body), 301_000)).toThrow();
    expect(() => read(standIn.sign(body, { secret: 'whsec_another' }))).toThrow();
    expect(() => read(standIn.sign(`${body} `))).toThrow();
  });
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
