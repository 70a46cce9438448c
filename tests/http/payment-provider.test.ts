import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { addMinutes, addSeconds, subSeconds } from 'date-fns';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type App, setAppOfProcess } from '~/current-app.server';
import { closeDatabase } from '~/database.server';
import type { CheckoutRequest } from '~/payment/provider.server';
import * as provider from '~/payment/provider.server';
import { builtIn as startBuiltIn } from '~/payment/stand-in/built-in.server';
import { memoryStore } from '~/payment/stand-in/memory-store';
import { startStandAlone } from '~/payment/stand-in/stand-alone';
import { becomeApp, of } from '../apps';
import { startStripe, type Stripe } from '../payments';
import { startSite, temporaryFolder } from '../production-server';
import { Reader } from './reader';
import { endsWithTest, site, withSite } from './site';
import { Visitor } from './visitor';

const SECRET = 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X';
const folder = temporaryFolder();
const stops: (() => Promise<void>)[] = [];
let time: Date;

beforeEach(() => {
  time = new Date();
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  setAppOfProcess(undefined);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes the process a site with these variables, and the test's time. */
function become(variables: Record<string, string>): App {
  const clock = {
    now: () => time,
    elapsed: () => performance.now(),
    later: (ms: number, work: () => void) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  };
  const app = becomeApp({ OFFLINE_MODE: 'false', SESSION_SECRET: SECRET, ...variables }, { clock });
  stops.push(of(app, closeDatabase));
  return app;
}

const request = (orderId: string, attempt = 1): CheckoutRequest => ({
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
  stops.push(stripe.stop);
  const tryCard = (id: string, outcome: 'paid' | 'declined') =>
    outcome === 'paid' ? stripe.pay(id) : stripe.decline(id);
  become({ ...stripe.variables });
  return { tryCard, origin: stripe.variables.STRIPE_API_BASE, stripe };
}

/** To the one that is built in, with its table in a database. */
async function builtIn(databaseFile = join(folder, `${randomUUID()}.db`)) {
  const app = become({ DATABASE_URL: `file:${databaseFile}` });
  const { standIn, stop } = await startBuiltIn();
  stops.push(of(app, stop));
  const tryCard = (id: string, outcome: 'paid' | 'declined') => standIn.tryCard(id, outcome);
  return { tryCard, origin: 'http://localhost:3000' };
}

describe.each([
  ['a stand-in of its own', alone],
  ['the one that is built in', builtIn],
] as const)('the provider, with %s,', (_name, start) => {
  it('opens one page for an attempt, whenever it is asked again, and closes it unless it was paid', async () => {
    const { origin, tryCard } = await start();
    const before = time;
    const first = await provider.createCheckout(request('a'));
    expect(first).toMatchObject({
      status: 'open',
      isPaid: false,
      amountCents: 3995,
      currency: 'EUR',
      orderId: 'a',
      paymentId: null,
    });
    const minutes = (first.expiresAt.getTime() - before.getTime()) / 60_000;
    expect(minutes).toBeGreaterThan(30);
    expect(minutes).toBeLessThan(35);
    expect(provider.checkoutOrigin()).toBe(origin);
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
    await tryCard(id, 'paid');
    const paymentId = expect.stringMatching(/^pi_/) as string;
    const paid = { status: 'complete', isPaid: true, paymentId };
    expect(await provider.closeCheckout(id)).toMatchObject(paid);
  });

  it('sends money back once for an attempt, and refuses what is not there', async () => {
    const { tryCard } = await start();
    const { id } = await provider.createCheckout(request('a'));
    await tryCard(id, 'declined');
    expect((await provider.findCheckout(id)).paymentId).toBe(null);
    await tryCard(id, 'paid');
    const { paymentId } = await provider.findCheckout(id);
    const known = { refundId: 'r', paymentId: paymentId ?? '' };
    const refund = (attempt = 1) => provider.createRefund({ ...known, attempt, amountCents: 3995 });
    const [one, two] = await Promise.all([refund(), refund()]);
    expect(two).toEqual(one);
    const settled = { amountCents: 3995, status: 'succeeded', failureCode: null };
    expect(one).toMatchObject({ ...known, ...settled });
    expect(await provider.findRefund(one.id)).toEqual(one);
    // By the payment, too, long after the key is forgotten.
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
    const { tryCard } = await start();
    for (const order of ['a', 'b']) {
      const { id } = await provider.createCheckout(request(order));
      await tryCard(id, 'declined');
      await tryCard(id, 'paid');
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
  beforeEach(async () => void ({ stripe } = await alone()));

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
    const forged = await Promise.allSettled([
      read(paid, { at: subSeconds(time, 301) }),
      provider.verifyEvent(paid ?? '', null),
      provider.verifyEvent('', ''),
      provider.verifyEvent(paid ?? '', 't=1,v1='),
      provider.verifyEvent(paid ?? '', `t=${time.getTime()},v1=`),
      read('no JSON'),
    ]);
    for (const one of forged) {
      const error: unknown = 'reason' in one ? one.reason : undefined;
      expect(error).toBeInstanceOf(provider.ForgedEvent);
      // It goes to the log, and has nothing of the body.
      expect(Object.keys(error as Error)).toEqual(['name']);
    }
  });

  it('is away while nobody answers, there again, and says that it is our key which is refused', async () => {
    const { id } = await provider.createCheckout(request('a'));
    stops.splice(-2);
    await stripe.stop();
    const calls = [
      provider.createCheckout(request('b')),
      provider.findCheckout(id),
      provider.closeCheckout(id),
      provider.findRefund('re_1'),
      provider.listEvents(time),
    ];
    const isAway = (call: Promise<unknown>) =>
      expect(call).rejects.toBeInstanceOf(provider.PaymentUnavailable);
    await Promise.all(calls.map(isAway));
    /** One that has forgotten everything, at the same address. */
    const another = async (secretKey: string) => {
      const { STRIPE_API_BASE, STRIPE_WEBHOOK_SECRET: webhookSecret } = stripe.variables;
      const port = Number(new URL(STRIPE_API_BASE).port);
      const own = { clock: () => time, port, store: memoryStore(), secretKey, webhookSecret };
      const { stop } = await startStandAlone(own);
      stops.push(stop);
      return stop;
    };
    const stop = await another(stripe.variables.STRIPE_SECRET_KEY);
    expect(await provider.createCheckout(request('b'))).toMatchObject({ status: 'open' });
    await stop();
    await another(`${stripe.variables.STRIPE_SECRET_KEY}_rolled`);
    const refund = { refundId: 'r1', attempt: 1, paymentId: 'pi_1', amountCents: 100 };
    for (const call of [
      () => provider.createRefund(refund),
      () => provider.createCheckout(request('a')),
    ]) {
      await expect(call()).rejects.toMatchObject({ name: 'PaymentRefused', isKey: true });
    }
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
  withSite({ OFFLINE_MODE: 'false', SESSION_SECRET: SECRET }, { apart: true });
  /** Opens a page as another server on the same database does. */
  const opened = async (order: string): Promise<{ path: string; id: string }> => {
    await builtIn(site.databaseFile);
    const { id, url } = await provider.createCheckout(request(order));
    return { path: url ?? '', id };
  };

  it('says that no money moves, declines, and leads back with a payment', async () => {
    const { path, id } = await opened('a');
    expect(path).toBe(`/demo/checkout/${id}`);
    const reader = await Reader.open(site.origin, path, 'en');
    expect(reader.text).toContain('Demonstration: no money is taken');
    expect(reader.text).toContain('€39.95');
    expect(reader.text).toContain('TRV-1234-5678');
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    await reader.press('Act as if the card were declined');
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain('The card was declined');
    const press = (intent: string) => reader.visitor.post(path, { intent });
    expect((await press('close')).headers.get('Location')).toBe(request('a').cancelUrl);
    const success = request('a').successUrl.replace('{CHECKOUT_SESSION_ID}', id);
    for (let count = 0; count < 2; count += 1) {
      expect((await press('pay')).headers.get('Location')).toBe(success);
    }
    expect((await press('decline')).status).toBe(303);
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
    const reader = await Reader.open(site.origin, path, 'de');
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
    const real = endsWithTest(
      await startSite({
        OFFLINE_MODE: 'false',
        DATABASE_URL: `file:${site.databaseFile}`,
        SESSION_SECRET: SECRET,
        STRIPE_SECRET_KEY: 'sk_test_0123456789',
        STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
      }),
    );
    expect(await status({}, real)).toBe(404);
  });
});
