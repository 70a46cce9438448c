import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { addMinutes, addSeconds, subSeconds } from 'date-fns';
import StripeClient from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setAppOfProcess } from '~/current-app.server';
import { closeDatabase } from '~/database.server';
import * as provider from '~/payment/provider.server';
import { builtIn as startBuiltIn } from '~/payment/stand-in.server';
import { memoryStore } from '../../packages/stripe-stand-in/store';
import { startStandAlone } from '../../packages/stripe-stand-in/server';
import { becomeApp, LIVE, PROVIDER } from '../apps';
import { startStripe, type Stripe } from '../payments';
import { newDatabase, temporaryFolder } from '../production-server';
import { startInProcess } from '../site-in-process';
import { eventsOf } from '../stripe-banks';
import { HtmlBrowser } from './html-browser';
import { copyOf, endsWithTest, site, withSite } from './site';
import { Visitor } from './visitor';

let time: Date;
beforeEach(() => (time = new Date()));

function become(variables: Record<string, string>): void {
  const clock = {
    now: () => time,
    elapsed: () => performance.now(),
    later(ms: number, work: () => void) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  };
  becomeApp({ ...LIVE, ...variables }, { clock });
}

const request = (orderId: string, attempt = 1): provider.CheckoutRequest => ({
  orderId,
  attempt,
  amountCents: 3995,
  currency: 'EUR',
  language: 'fr',
  product: { name: 'Aide à la demande d’ESTA', description: 'TRV-1234-5678' },
  email: 'ada@example.eu',
  successUrl: 'http://localhost:3000/application/1/success?session={CHECKOUT_SESSION_ID}',
  cancelUrl: 'http://localhost:3000/application/1/payment',
});

/** By `STRIPE_API_BASE`, to a stand-in in the test's process. */
async function alone() {
  const stripe = await startStripe(() => time);
  become(stripe.variables);
  return { ...stripe, origin: stripe.variables.STRIPE_API_BASE };
}

async function builtIn() {
  const folder = temporaryFolder();
  become({ DATABASE_URL: await newDatabase(folder) });
  const { standIn, stop } = await startBuiltIn();
  return {
    pay: (id: string) => standIn.tryCard(id, 'paid'),
    decline: (id: string) => standIn.tryCard(id, 'declined'),
    origin: 'http://localhost:3000',
    stop: () =>
      stop()
        .then(closeDatabase)
        .finally(() => rmSync(folder, { recursive: true })),
  };
}

describe.each([
  ['a stand-in of its own', alone],
  ['the one that is built in', builtIn],
] as const)('the provider, with %s,', (_name, start) => {
  let own: Awaited<ReturnType<typeof alone | typeof builtIn>>;
  beforeEach(async () => void (own = await start()));
  afterEach(async () => {
    await own.stop();
    setAppOfProcess(undefined);
  });

  it('opens one page for an attempt, whenever it is asked again, and closes it unless it was paid', async () => {
    const before = time;
    const first = await provider.createCheckout(request('a'));
    const asked = { amountCents: 3995, currency: 'EUR', orderId: 'a' };
    expect(first).toMatchObject({ status: 'open', isPaid: false, paymentId: null, ...asked });
    const minutes = (first.expiresAt.getTime() - before.getTime()) / 60_000;
    expect(minutes).toBeGreaterThan(30);
    expect(minutes).toBeLessThan(35);
    expect(provider.checkoutOrigin()).toBe(own.origin);
    // Another end is asked for by then.
    time = addMinutes(before, 5);
    expect(await provider.createCheckout(request('a'))).toEqual(first);
    const { id } = await provider.createCheckout(request('a', 2));
    const { id: another } = await provider.createCheckout(request('b'));
    expect(new Set([first.id, id, another]).size).toBe(3);
    expect(await provider.findCheckout(first.id)).toEqual(first);
    for (const closed of [{ status: 'expired', url: null }, { status: 'expired' }]) {
      expect(await provider.closeCheckout(first.id)).toMatchObject(closed);
    }
    await own.pay(id);
    const paymentId = expect.stringMatching(/^pi_/) as string;
    const paid = { status: 'complete', isPaid: true, paymentId };
    expect(await provider.closeCheckout(id)).toMatchObject(paid);
  });

  it('sends money back once for an attempt, and refuses what is not there', async () => {
    const { id } = await provider.createCheckout(request('a'));
    await own.decline(id);
    expect((await provider.findCheckout(id)).paymentId).toBe(null);
    await own.pay(id);
    const { paymentId } = await provider.findCheckout(id);
    const known = { refundId: 'r', paymentId: paymentId ?? '' };
    const refund = (attempt = 1) => provider.createRefund({ ...known, attempt, amountCents: 3995 });
    const [one, two] = await Promise.all([refund(), refund()]);
    expect(two).toEqual(one);
    const settled = { amountCents: 3995, status: 'succeeded', failureCode: null };
    expect(one).toMatchObject({ ...known, ...settled });
    expect(await provider.retrieveRefund(one.id)).toEqual(one);
    const sent = (more = {}) => provider.findSentRefund({ ...known, failed: null, ...more });
    expect(await sent()).toEqual(one);
    for (const other of [{ refundId: 's' }, { paymentId: 'pi_another' }, { failed: one.id }]) {
      expect(await sent(other)).toBeUndefined();
    }
    const refused = (code: string) => ({ name: 'PaymentRefused', code });
    await expect(refund(2)).rejects.toMatchObject(refused('charge_already_refunded'));
    const none = provider.findCheckout('cs_test_none');
    await expect(none).rejects.toMatchObject(refused('resource_missing'));
  });

  it('tells what has happened since an instant, the earliest first', async () => {
    for (const order of ['a', 'b']) {
      const { id } = await provider.createCheckout(request(order));
      await own.decline(id);
      await own.pay(id);
    }
    const { id } = await provider.createCheckout(request('c'));
    await provider.closeCheckout(id);
    const told = await provider.listEvents(subSeconds(time, 1));
    expect(told.map(({ type, checkout }) => [type, checkout?.orderId])).toEqual([
      ['checkout.session.completed', 'a'],
      ['checkout.session.completed', 'b'],
      ['checkout.session.expired', 'c'],
    ]);
    expect(await provider.listEvents(addSeconds(time, 1))).toEqual([]);
  });
});

describe('the provider', () => {
  let stripe: Stripe;
  beforeEach(async () => void (stripe = await alone()));
  afterEach(async () => {
    await stripe.stop();
    setAppOfProcess(undefined);
  });

  it('believes what is signed, and lately', async () => {
    const { id } = await provider.createCheckout(request('a'));
    await stripe.pay(id);
    const dispute = await stripe.dispute(id);
    await stripe.closeDispute(dispute, 'won');
    const [paid, opened, closed] = (await stripe.events()).map((event) => JSON.stringify(event));
    const read = (body = '', options = {}) =>
      provider.verifyEvent(body, stripe.sign(body, options));
    expect(await read(paid)).toMatchObject({
      type: 'checkout.session.completed',
      checkout: { id, orderId: 'a', isPaid: true, amountCents: 3995 },
    });
    expect(await read(opened)).toMatchObject({ dispute: { id: dispute, status: 'open' } });
    expect(await read(closed)).toMatchObject({ dispute: { status: 'won', amountCents: 3995 } });
    for (const one of [
      () => read(paid, { at: subSeconds(time, 301) }),
      () => provider.verifyEvent(paid ?? '', `t=${time.getTime()},v1=`),
      () => read('no JSON'),
    ]) {
      const error = await one().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(provider.ForgedEvent);
      // It goes to the log, and has nothing of the body.
      expect(Object.keys(error as Error)).toEqual(['name']);
    }
  });

  it('is away while nobody answers, there again, and says that it is our key which is refused', async () => {
    const { id } = await provider.createCheckout(request('a'));
    await stripe.stop();
    const calls = [
      provider.createCheckout(request('b')),
      provider.findCheckout(id),
      provider.closeCheckout(id),
      provider.retrieveRefund('re_1'),
      provider.listEvents(time),
    ];
    const isAway = (call: Promise<unknown>) =>
      expect(call).rejects.toBeInstanceOf(provider.PaymentUnavailable);
    await Promise.all(calls.map(isAway));
    const another = (secretKey: string) => {
      const { STRIPE_API_BASE, STRIPE_WEBHOOK_SECRET: webhookSecret } = stripe.variables;
      const port = Number(new URL(STRIPE_API_BASE).port);
      const own = { clock: () => time, port, store: memoryStore(), secretKey, webhookSecret };
      return startStandAlone(own);
    };
    const { stop } = await another(stripe.variables.STRIPE_SECRET_KEY);
    expect(await provider.createCheckout(request('b'))).toMatchObject({ status: 'open' });
    await stop();
    endsWithTest(await another(`${stripe.variables.STRIPE_SECRET_KEY}_rolled`));
    const refund = { refundId: 'r1', attempt: 1, paymentId: 'pi_1', amountCents: 100 };
    const refused = { name: 'PaymentRefused', isKey: true };
    await expect(provider.createRefund(refund)).rejects.toMatchObject(refused);
    await expect(provider.createCheckout(request('a'))).rejects.toMatchObject(refused);
  });

  it('is not looked for where an answer leads elsewhere', async () => {
    const { id } = await provider.createCheckout(request('a'));
    const { variables, calls } = stripe;
    const Location = `${variables.STRIPE_API_BASE}/v1/checkout/sessions/${id}`;
    const away = createServer((_, outgoing) => outgoing.writeHead(302, { Location }).end());
    await once(away.listen(0, '127.0.0.1'), 'listening');
    const { port } = away.address() as AddressInfo;
    become({ ...variables, STRIPE_API_BASE: `http://127.0.0.1:${port}` });
    await expect(provider.findCheckout(id)).rejects.toThrow('find a checkout');
    expect(calls).toHaveLength(1);
    away.close();
    away.closeAllConnections();
  });

  it('repeats nothing of what was sent in an error', async () => {
    const wrong = provider.createCheckout({ ...request('a'), amountCents: 1 });
    const error = (await wrong.catch((reason: unknown) => reason)) as Error;
    expect(error).toBeInstanceOf(provider.PaymentRefused);
    expect(error.message).toBe('create a checkout amount_too_small line_items');
    // An address that Stripe does not believe in is typed again there.
    const checkout = await provider.createCheckout({ ...request('a'), email: 'ada@nowhere' });
    expect(checkout.status).toBe('open');
    expect(stripe.calls.at(-1)?.parameters.has('customer_email')).toBe(false);
  });
});

describe('the pages of the one that is built in', () => {
  withSite(LIVE);
  const opened = async (order: string): Promise<{ path: string; id: string }> => {
    const { id, url } = await provider.createCheckout(request(order));
    return { path: url ?? '', id };
  };

  it('says that no money moves, declines, and leads back with a payment', async () => {
    const { path, id } = await opened('a');
    expect(path).toBe(`/demo/checkout/${id}`);
    const reader = await HtmlBrowser.open(site.origin, path, 'en');
    for (const text of ['Demonstration: no money is taken', '€39.95', 'TRV-1234-5678']) {
      expect(reader.text).toContain(text);
    }
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    await reader.press('Act as if the card were declined');
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain('The card was declined');
    const press = (intent: string) => reader.visitor.post(path, { intent });
    expect((await press('close')).headers.get('Location')).toBe(request('a').cancelUrl);
    const success = request('a').successUrl.replace('{CHECKOUT_SESSION_ID}', id);
    for (const intent of ['pay', 'pay', 'decline']) {
      expect((await press(intent)).headers.get('Location')).toBe(success);
    }
    expect((await press('steal')).status).toBe(400);
    await reader.go(path);
    expect(reader.heading).toBe('This order is paid');
    expect(reader.links('See my order')).toEqual([success]);
    const events = "stand_in_objects where kind = 'event' and data like '%completed%'";
    expect(site.query(`select count(*) as n from ${events}`)).toEqual([{ n: 1 }]);
  });

  it('says that a page is closed, in the reader’s language', async () => {
    const { path, id } = await opened('late');
    site.execute(`update stand_in_objects set due_at = '2020-01-01T00:00:00.000Z',
      data = json_set(data, '$.object.expires_at', 1577836800) where id = '${id}'`);
    const reader = await HtmlBrowser.open(site.origin, path, 'de');
    expect(reader.heading).toBe('Diese Zahlungsseite ist geschlossen');
    expect(reader.links('Zurück zu meiner Bestellung')).toEqual([request('late').cancelUrl]);
    const late = await reader.visitor.post(path, { intent: 'pay' });
    expect([late.status, late.headers.get('Location')]).toEqual([303, path]);
  });

  it('are shown at home alone, never ahead of time, and not at all where there is a key', async () => {
    const { path } = await opened('home');
    const status = async (headers: Record<string, string>, { origin } = site) =>
      (await new Visitor(origin, headers).get(path)).status;
    expect(await status({})).toBe(200);
    expect(await status({ 'X-Forwarded-For': '203.0.113.7' })).toBe(404);
    expect(await status({ 'X-Forwarded-Proto': 'https' })).toBe(404);
    expect(await status({ 'Sec-Purpose': 'prefetch' })).toBe(403);
    const variables = { ...LIVE, ...PROVIDER, DATABASE_URL: copyOf(site) };
    expect(await status({}, endsWithTest(await startInProcess(variables)))).toBe(404);
  });
});

const ASKED = (): StripeClient.Checkout.SessionCreateParams => ({
  ...{ mode: 'payment', allowed_payment_method_types: ['card'] },
  ...{ adaptive_pricing: { enabled: false }, locale: 'de' },
  expires_at: Math.floor(time.getTime() / 1000) + 31 * 60,
  ...{ client_reference_id: 'order-1', customer_email: 'ada@example.eu' },
  ...{ metadata: { order: 'order-1' }, payment_intent_data: { metadata: { order: 'order-1' } } },
  line_items: [
    {
      quantity: 1,
      price_data: {
        ...{ currency: 'eur', unit_amount: 3995 },
        product_data: { name: 'ESTA – Standard', description: 'TRV-1234 & mehr' },
      },
    },
  ],
  success_url: 'http://localhost:1/success?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost:1/payment',
});

describe('a stand-in, as the SDK of Stripe finds it,', () => {
  const came: unknown[] = [];
  const statuses = [500, 404, 200];
  const receiver = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const { type } = JSON.parse(body) as { type: string };
      came.push([type, incoming.headers['stripe-signature']]);
      outgoing.writeHead(statuses[came.length - 1] ?? 200).end();
    });
  });
  let own: Awaited<ReturnType<typeof startStandAlone>>;
  let sdk: StripeClient;
  beforeAll(async () => {
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    own = await startStandAlone({ clock: () => time, webhook });
    const { hostname: host, port } = new URL(own.address);
    const at = { host, port, protocol: 'http', maxNetworkRetries: 0 } as const;
    sdk = new StripeClient(own.standIn.options.secretKey, at);
  });
  afterAll(async () => {
    await own.stop();
    receiver.close();
  });

  it.each<[string, object, object, string, string?]>([
    ['too little', { unit_amount: 49 }, {}, 'line_items', 'amount_too_small'],
    ['capital letters', { currency: 'EUR' }, {}, 'line_items[0][price_data][currency]'],
    ['an end that is over', {}, { expires_at: 1 }, 'expires_at'],
    ['no address', {}, { customer_email: 'nobody' }, 'customer_email', 'email_invalid'],
    ['no way back', {}, { success_url: undefined }, 'success_url', 'parameter_missing'],
    ['another mode', {}, { mode: 'setup' }, 'mode'],
  ])('refuses a session for %s', async (_what, price, change, param, code) => {
    const order = { ...ASKED(), ...change };
    Object.assign(order.line_items?.[0]?.price_data ?? {}, price);
    const refused = { type: 'StripeInvalidRequestError', statusCode: 400, param, code };
    await expect(sdk.checkout.sessions.create(order)).rejects.toMatchObject(refused);
  });

  it('delivers an event until it is taken, and then no more', async () => {
    const { id } = await sdk.checkout.sessions.create(ASKED());
    await own.standIn.tryCard(id, 'paid');
    const pass = () => {
      time = addSeconds(time, 1);
      return eventsOf(own.standIn);
    };
    await expect
      .poll(pass, { timeout: 15_000 })
      .toMatchObject([{ type: 'checkout.session.completed', pending_webhooks: 0 }]);
    const signed = expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/) as string;
    expect(came).toEqual(Array(3).fill(['checkout.session.completed', signed]));
  });
});
