import { addHours } from 'date-fns';
import { afterEach, expect, it } from 'vitest';

import { inApp } from '~/current-app.server';
import { closeDatabase } from '~/database.server';
import { StandIn } from '../../packages/stripe-stand-in/stand-in';
import { tableStore } from '~/payment/stand-in.server';
import type { DatabaseAddress } from '~db/store.server';
import { appWith, partOf, LIVE } from '../apps';
import { eventsOf } from '../stripe-banks';
import { describeDatabases, variablesOf } from './engines';
import { atOnce } from './live-store';

const NOW = new Date('2026-11-26T10:00:00.000Z');

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The stand-in of a server, with connections of its own. */
async function serverOn(address: DatabaseAddress) {
  const app = appWith({ ...LIVE, ...variablesOf(address) });
  stops.push(partOf(app, closeDatabase));
  const standIn = new StandIn({
    store: {
      change: (work) => inApp(app, () => tableStore.change(work)),
      due: (now) => inApp(app, () => tableStore.due(now)),
    },
    clock: () => NOW,
    secretKey: 'sk_test_0123456789',
    webhookSecret: 'whsec_0123456789',
    pageOf: (id) => id,
  });
  // Migrates, before another asks.
  await eventsOf(standIn);
  return standIn;
}

/** With SQLite one for both: who waits for its lock holds the whole process, who has it included. */
async function serversOn(address: DatabaseAddress) {
  const one = await serverOn(address);
  return [one, address.engine === 'sqlite' ? one : await serverOn(address)] as const;
}

async function open(standIn: StandIn, idempotencyKey?: string) {
  const parameters = new URLSearchParams({
    mode: 'payment',
    success_url: 'http://localhost/success',
    cancel_url: 'http://localhost/payment',
    expires_at: String(addHours(NOW, 1).getTime() / 1000),
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '3995',
    'line_items[0][price_data][product_data][name]': 'ESTA',
  });
  const path = '/v1/checkout/sessions';
  const { body } = await standIn.call({ method: 'POST', path, parameters, idempotencyKey });
  return (body as { id: string }).id;
}

const refund = (standIn: StandIn, paymentId: string) =>
  standIn.call({
    method: 'POST',
    path: '/v1/refunds',
    parameters: new URLSearchParams({ payment_intent: paymentId, amount: '1000' }),
    idempotencyKey: undefined,
  });

describeDatabases('the stand-in’s table', ({ make }) => {
  it('lets one of many at the same moment do it, on two servers', async () => {
    const [one, two] = await serversOn(await make());
    const both = <T>(work: (standIn: StandIn) => Promise<T>): Promise<T[]> =>
      atOnce(10, (n) => work(n % 2 ? one : two));
    expect(new Set(await both((server) => open(server, 'order 1'))).size).toBe(1);
    const id = await open(one);
    const paid = await both((server) => server.tryCard(id, 'paid'));
    expect(new Set(paid.map(({ payment_intent }) => payment_intent)).size).toBe(1);
    const refunds = await both((server) => refund(server, paid[0]?.payment_intent ?? ''));
    expect(refunds.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await eventsOf(two)).map(({ type }) => type)).toEqual([
      'checkout.session.completed',
      ...Array<string>(3).fill('refund.created'),
    ]);
  });
});
