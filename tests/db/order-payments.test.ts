import { randomUUID } from 'node:crypto';

import { addDays, addHours, addMinutes } from 'date-fns';
import { beforeEach, expect, it, vi } from 'vitest';

import { wishReminders } from '~/leads/leads.server';
import { findLeadOf } from '~db/queries/leads.server';
import { reopen } from '~/routes/application/check/check-action.server';
import { deleteApplication } from '~/applications/deletion.server';
import { moveApplication } from '~/applications/moves.server';
import type { ApplicationState } from '~/domain/application/states';
import { offerOf } from '~/public/offer.server';
import { cancelOrder, holdContract } from '~/orders/refunds.server';
import {
  fulfil,
  handleEvent,
  closeOpenCheckout,
  type OrderChoice,
  type CheckoutResult,
  placeOrder,
  reconcilePayments,
} from '~/orders/checkout.server';
import { buyerOfOrder } from '~/orders/invoices.server';
import type { Checkout, CheckoutRequest } from '~/payment/provider.server';
import { publish, siteSettings } from '~/settings/settings.server';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { becomeApp, LIVE } from '../apps';
import { addDraftTo } from '../drafts';
import { describeEngines } from './engines';
import { atOnce, tally } from './live-store';
import { FakeProvider } from './fake-provider';
import { purge } from '../../operations/retention';

let provider: FakeProvider;

const NOON = new Date('2026-11-26T12:00:00.000Z');
const CHOICE: OrderChoice = {
  ...offerOf('express', 'de', 'DE'),
  package: 'express',
  startChoice: 'now',
  consents: { terms: 'Ich habe die Bedingungen gelesen.' },
  buyer: {
    name: 'Anna Müller',
    address: ['Domkloster 4', '50667 Köln'],
    country: 'DE',
    email: 'anna@example.eu',
  },
  language: 'de',
  origin: 'https://esta.example',
  product: { name: 'Express', description: 'TRV' },
};
const OTHER: OrderChoice = { ...CHOICE, ...offerOf('standard', 'de', 'DE'), package: 'standard' };
const BROWSER = { kind: 'browser' } as const;
const ANYBODY = { kind: 'anybody' } as const;
const STEPS = {
  1: { email: 'Anna@example.eu', first_name: 'Anna', last_name: 'Müller', postal_code: '50667' },
  3: { address_line1: 'Domkloster 4', address_city: 'Köln', address_country: 'DE' },
};

describeEngines('an order', (store) => {
  let application: ApplicationRow;
  beforeEach(async () => {
    provider = new FakeProvider();
    provider.now = NOON;
    becomeApp(LIVE, { payments: provider, openStore: () => Promise.resolve(store.opened) });
    application = await certified();
  });

  async function certified(): Promise<ApplicationRow> {
    return store.write(async (db) => {
      const filled = { language: 'fr', steps: STEPS, isComplete: true } as const;
      const row = await addDraftTo(db, { at: NOON, ...filled });
      const by = { as: 'owner', actor: ANYBODY, facts: { stepsValid: true } } as const;
      const { moved } = await moveApplication(db, row, 'certify', by, NOON);
      return moved as ApplicationRow;
    });
  }

  const now = async (id = application.id) =>
    (await findApplication(store.db, id)) as ApplicationRow;
  const orders = async (id = application.id) => (await listOrdersOf(store.db, id)).reverse();
  const press = async (choice = CHOICE, at = NOON, row = application) =>
    placeOrder({ row, owner: BROWSER }, choice, at);
  /** An order whose traveller has paid, and what tells us. */
  const pressAndPay = async (as: Partial<Checkout> = {}) => {
    await press();
    return provider.pay('cs_1', as);
  };
  const pressAndTake = async () => {
    expect(await handleEvent(await pressAndPay(), NOON)).toBe('fulfilled');
  };
  const pageOf = (placed: CheckoutResult) =>
    ('leadsTo' in placed ? placed.leadsTo.split('/').at(-1) : undefined) as string;
  const confirmations = async () =>
    (await store.mails()).filter((kind) => kind === 'orderConfirmation').length;
  const states = async () => (await orders()).map(({ state }) => state);
  const become = async (state: ApplicationState) => {
    const { version } = await now();
    await store.setApplications({ state, version: version + 1 }, application.id);
  };
  /** The process ends once the provider has made the page that was asked for. */
  const killedWhilePressing = async (asked: Partial<CheckoutRequest> = {}) => {
    const create = provider.createCheckout.bind(provider);
    provider.createCheckout = async (request) => {
      await create({ ...request, ...asked });
      throw new Error('killed');
    };
    await expect(press()).rejects.toThrow('killed');
    provider.createCheckout = create;
  };
  /** The next transaction fails at its end, once. */
  const failNext = (reason: string) => {
    const { opened } = store;
    const write = opened.write.bind(opened);
    const failing = vi.spyOn(opened, 'write').mockImplementationOnce(async (work) => {
      failing.mockRestore();
      return write(async (db) => {
        await work(db);
        throw new Error(reason);
      });
    });
  };
  const remove = () =>
    store.secureWrite((db) => deleteApplication(db, application.id, ANYBODY, NOON));

  it('freezes what was chosen, and leads to its page', async () => {
    const placed = await press();
    expect((await now()).language_code).toBe('de');
    expect(placed).toEqual({ leadsTo: 'https://pay.example/cs_1' });
    const [order, ...others] = await orders();
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      reference: application.reference,
      ...{ state: 'created', package: 'express', amount_cents: 6995, currency: 'EUR', attempt: 1 },
      ...{ vat_rate: 2000, vat_country: null, vat_note: null, language_code: 'de' },
      ...{ start_choice: 'now', delivery_hours: 24, guarantee_days: 30 },
      consents: JSON.stringify(CHOICE.consents),
      terms_hash: expect.stringMatching(/^[\w-]{43}$/) as string,
      provider_session_id: 'cs_1',
      session_expires_at: addMinutes(NOON, 30).toISOString(),
      ...{ paid_at: null, invoice_number: null },
    });
    expect(buyerOfOrder(order as OrderRow)).toEqual(CHOICE.buyer);
    expect(order?.buyer_sealed).not.toContain('Anna');
    expect(await store.audited(order?.id ?? '')).toEqual([
      ['order.placed', { package: 'express', start: 'now' }],
    ]);
    expect(await now()).toMatchObject({ state: 'awaiting_payment', package: null });
  });

  it('pressed thirty times at the same moment, and later again, is one order with one page', async () => {
    const placed = await atOnce(30, () => press());
    placed.push(await press(CHOICE, addMinutes(NOON, 5)));
    expect(new Set(placed.map(pageOf))).toEqual(new Set(['cs_1']));
    expect(await orders()).toHaveLength(1);
    expect(provider.pages.size).toBe(1);
  });

  it('with another choice closes the page of the one before; at the same moment one stays open', async () => {
    await press();
    expect(pageOf(await press(OTHER, addMinutes(NOON, 1)))).toBe('cs_2');
    expect(provider.page('cs_1').status).toBe('expired');
    expect(await orders()).toMatchObject([
      { state: 'expired', package: 'express' },
      { state: 'created', package: 'standard' },
    ]);
    const placed = await Promise.all([press(), press(OTHER), press(), press(OTHER)]);
    const open = [...provider.pages.values()].filter(({ status }) => status === 'open');
    const waiting = (await orders()).filter(({ state }) => state === 'created');
    expect(waiting.length).toBeLessThanOrEqual(1);
    expect(open.map(({ id }) => id)).toEqual(waiting.map((one) => one.provider_session_id));
    for (const one of placed) expect('leadsTo' in one || one.refused === 'unavailable').toBe(true);
  });

  it('is placed once of two at the same moment where one is left of the day, and again the next', async () => {
    const express = { soldOutOn: null, perDay: 1 };
    publish({ ...siteSettings(), sales: { ...siteSettings().sales, express } });
    const both = [application, await certified()];
    const pressed = await Promise.all(both.map((row) => press(CHOICE, NOON, row)));
    const left = both.filter((_, n) => 'refused' in pressed[n]!);
    expect(left).toHaveLength(1);
    expect(await Promise.all(both.map((row) => press(CHOICE, NOON, row)))).toEqual(pressed);
    expect(pressed).toContainEqual({ refused: 'soldOut' });
    expect(await press(OTHER, NOON, left[0])).toHaveProperty('leadsTo');
    provider.now = addDays(NOON, 1);
    expect(await press(CHOICE, provider.now, left[0])).toHaveProperty('leadsTo');
  });

  it.each([
    ['another', OTHER],
    ['the same', CHOICE],
  ])('with %s choice, after it was paid, takes that payment', async (_, choice) => {
    await pressAndPay();
    expect(await press(choice)).toEqual({ refused: 'paid' });
    expect(await orders()).toHaveLength(1);
    expect(await now()).toMatchObject({ state: 'paid', package: 'express' });
    expect(await press(choice)).toEqual({ refused: 'paid' });
  });

  it('whose page is over, or nearly, is ordered anew', async () => {
    await press();
    provider.expire('cs_1');
    expect(pageOf(await press())).not.toBe('cs_1');
    const [, second] = await orders();
    provider.now = addMinutes(NOON, 29);
    const third = pageOf(await press(CHOICE, addMinutes(NOON, 29)));
    expect(provider.page(second?.provider_session_id ?? '').status).toBe('expired');
    expect(provider.page(third).status).toBe('open');
    expect(await states()).toEqual(['expired', 'expired', 'created']);
  });

  it.each([
    ['stays, and can be pressed again', 'unavailable', ['created'], ['created']],
    ['fails, and another can be placed', 'refused', ['failed'], ['created', 'failed']],
  ] as const)('%s, while the provider is %s', async (_, refused, first, then) => {
    provider.fails = refused;
    expect([await press(), await states()]).toEqual([{ refused }, first]);
    provider.fails = undefined;
    expect([pageOf(await press()), (await states()).sort()]).toEqual(['cs_1', then]);
  });

  it('whose page was made, but its answer lost, is led to that page', async () => {
    await killedWhilePressing();
    expect(await orders()).toMatchObject([{ state: 'created', provider_session_id: null }]);
    expect([pageOf(await press()), provider.pages.size]).toEqual(['cs_1', 1]);
  });

  it('asked for with other words after that gets a page of its own', async () => {
    await killedWhilePressing({ cancelUrl: 'http://localhost:1/' });
    expect((await Promise.all([press(), press()])).map(pageOf)).toEqual(['cs_2', 'cs_2']);
    expect(await orders()).toMatchObject([{ attempt: 2, provider_session_id: 'cs_2' }]);
    expect(await handleEvent(provider.expire('cs_1'), NOON)).toBe('unpaid');
    expect(await orders()).toMatchObject([{ state: 'created' }]);
  });

  it.each(['draft', 'cancelled', 'expired', 'gone'] as const)(
    'is not placed for one that is %s',
    async (state) => {
      if (state === 'gone') await remove();
      else await become(state);
      expect([await press(), await orders()]).toEqual([{ refused: 'closed' }, []]);
      expect(provider.calls).toEqual([]);
    },
  );

  it('that is paid makes its application paid, with an invoice and a mail, and ends reminders', async () => {
    await store.write((db) => wishReminders(db, application.id, ANYBODY, NOON));
    await press();
    expect(await fulfil(provider.page('cs_1'), NOON)).toBe('unpaid');
    expect(await orders()).toMatchObject([{ state: 'created', version: 1 }]);
    const event = provider.pay('cs_1');
    const paidAt = addMinutes(NOON, 7);
    const at = paidAt.toISOString();
    expect(await fulfil(provider.page('cs_1'), paidAt)).toBe('fulfilled');
    const due_at = addHours(paidAt, 24).toISOString();
    const times = { paid_at: at, fulfilled_at: at, starts_at: at, due_at };
    const ids = { invoice_number: 'R-2026-00001', provider_payment_id: 'pi_cs_1', eur_rate: null };
    expect(await orders()).toMatchObject([{ state: 'paid', ...times, ...ids, version: 2 }]);
    const paid = { state: 'paid', package: 'express', due_at, wants_reminder: 0 };
    expect(await now()).toMatchObject(paid);
    const lead = await findLeadOf(store.db, { application_id: application.id });
    expect(lead).toMatchObject({ state: 'converted' });
    expect(await handleEvent(event, NOON)).toBe('already');
    expect([await store.count('payment_events'), await confirmations()]).toEqual([1, 1]);
    const [order] = await orders();
    expect(await store.audited(order?.id ?? '')).toEqual([
      ['order.placed', { package: 'express', start: 'now' }],
      ['order.moved', { event: 'pay', from: 'created', to: 'paid' }],
    ]);
  });

  it('of another buyer is another order', async () => {
    await press();
    await press({ ...CHOICE, buyer: { ...CHOICE.buyer, name: 'Ben Müller' } }, addMinutes(NOON, 1));
    expect((await orders()).map((order) => [order.state, buyerOfOrder(order).name])).toEqual([
      ['expired', 'Anna Müller'],
      ['created', 'Ben Müller'],
    ]);
  });

  it('that is paid by a clock ahead of ours is paid now', async () => {
    const ahead = { ...(await pressAndPay()), createdAt: addMinutes(NOON, 5) };
    expect(await handleEvent(ahead, NOON)).toBe('fulfilled');
    expect(await orders()).toMatchObject([{ paid_at: NOON.toISOString() }]);
  });

  it('begins after the days of withdrawal, if that was chosen', async () => {
    await press({ ...OTHER, startChoice: 'after_14_days' });
    await handleEvent(provider.pay('cs_1'), NOON);
    const due_at = addHours(addDays(NOON, 15), 72).toISOString();
    const times = { starts_at: addDays(NOON, 15).toISOString(), due_at };
    expect([(await orders())[0], await now()]).toMatchObject([times, { due_at }]);
  });

  it('is taken once by success pages and webhooks at the same moment', async () => {
    const event = await pressAndPay();
    const again = provider.tell('checkout.session.async_payment_succeeded', provider.page('cs_1'));
    const results = await atOnce(30, (n) => {
      if (n % 3 === 0) return handleEvent(event, NOON);
      return n % 3 === 1 ? handleEvent(again, NOON) : fulfil(provider.page('cs_1'), NOON);
    });
    const { fulfilled, already = 0, repeated = 0 } = tally(results);
    expect([fulfilled, already + repeated]).toEqual([1, 29]);
    expect(await orders()).toMatchObject([{ state: 'paid', invoice_number: 'R-2026-00001' }]);
    expect(await confirmations()).toBe(1);
    const moves = (await store.audited(application.id)).filter(([, { event }]) => event === 'pay');
    expect(moves).toHaveLength(1);
    const processed = { processed_at: NOON.toISOString() };
    expect(await store.rows('payment_events')).toMatchObject([processed, processed]);
  });

  it('of thirty travellers at the same moment has thirty numbers without a gap; what fails leaves nothing behind, and is taken the next time', async () => {
    const others = [application];
    while (others.length < 30) others.push(await certified());
    const events = [];
    for (const row of others) events.push(provider.pay(pageOf(await press(CHOICE, NOON, row))));
    // One of them at least fails in its transaction; whoever fails comes again.
    failNext('no space left');
    const results = await Promise.allSettled(events.map((event) => handleEvent(event, NOON)));
    const failed = events.filter((_, n) => results[n]?.status === 'rejected');
    expect(failed).not.toEqual([]);
    const done = 30 - failed.length;
    expect([await store.count('payment_events'), await confirmations()]).toEqual([done, done]);
    const waiting = { state: 'created', invoice_number: null };
    const unpaid = (await store.rows('orders')).filter(({ paid_at }) => paid_at === null);
    expect(unpaid).toMatchObject(failed.map(() => waiting));
    for (const event of failed) expect(await handleEvent(event, NOON)).toBe('fulfilled');
    const rows = await store.rows('orders');
    const numbers = rows.map(({ invoice_number }) => Number(invoice_number?.slice(-5)));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(await confirmations()).toBe(30);
  });

  it('is paid, whichever of its events comes first', async () => {
    const paid = await pressAndPay();
    const unpaid = { ...provider.page('cs_1'), isPaid: false, status: 'expired' } as const;
    const over = provider.tell('checkout.session.expired', unpaid);
    expect(await handleEvent(over, NOON)).toBe('expired');
    expect(await orders()).toMatchObject([{ state: 'expired' }]);
    expect(await handleEvent(paid, NOON)).toBe('fulfilled');
    expect(await handleEvent({ ...over, id: 'evt_late' }, NOON)).toBe('unpaid');
    expect(await orders()).toMatchObject([{ state: 'paid', invoice_number: 'R-2026-00001' }]);
    expect(await now()).toMatchObject({ state: 'paid' });
  });

  it.each<[string, Partial<Checkout>]>([
    ['another amount', { amountCents: 6994 }],
    ['more than asked', { amountCents: 6996 }],
    ['no amount', { amountCents: null }],
    ['another currency', { currency: 'USD' }],
    ['a currency in small letters', { currency: 'eur' }],
  ])('of which %s was paid stays as it is, and staff are told once', async (_, as) => {
    expect(await handleEvent(await pressAndPay(as), NOON)).toBe('mismatch');
    expect(await fulfil(provider.page('cs_1'), NOON)).toBe('mismatch');
    const [order] = await orders();
    expect(order).toMatchObject({ state: 'created', paid_at: null, invoice_number: null });
    expect(await now()).toMatchObject({ state: 'awaiting_payment' });
    expect(
      (await store.audited(order?.id ?? '')).filter(([action]) => action !== 'order.placed'),
    ).toEqual([['order.mismatched', { what: 'amount' }]]);
    expect([await press(), await confirmations()]).toEqual([{ refused: 'refused' }, 0]);
  });

  it('that was paid a second time, by another payment, is shown to staff; one that nobody knows takes nothing', async () => {
    await pressAndTake();
    const second = { ...provider.page('cs_1'), id: 'cs_9', paymentId: 'pi_9' };
    expect(await fulfil(second, NOON)).toBe('mismatch');
    expect(await orders()).toMatchObject([{ provider_payment_id: 'pi_cs_1' }]);
    const foreign = { ...provider.page('cs_1'), orderId: randomUUID() };
    const event = provider.tell('checkout.session.completed', foreign);
    expect(await handleEvent(event, NOON)).toBe('unknown');
    expect(await fulfil({ ...foreign, orderId: null }, NOON)).toBe('unknown');
    expect(await store.rows('payment_events')).toMatchObject([{}, { order_id: null }]);
  });

  it.each(['draft', 'cancelled', 'expired'] as const)(
    'that is paid late, for an application that is %s, is not taken but refunded',
    async (state) => {
      await press();
      await become(state);
      const event = provider.pay('cs_1');
      const results = await atOnce(30, (n) =>
        n % 2 ? handleEvent(event, NOON) : fulfil(provider.page('cs_1'), NOON),
      );
      expect(tally(results)).toMatchObject({ late: 1 });
      expect(await orders()).toMatchObject([
        { state: 'paid', paid_at: NOON.toISOString(), fulfilled_at: null, invoice_number: null },
      ]);
      expect(await now()).toMatchObject({ state });
      const refund = { kind: 'late_payment', amount_cents: 6995 };
      expect(await store.rows('refunds')).toMatchObject([refund]);
    },
  );

  it('is taken once of two that are both paid: the second is refunded', async () => {
    await press();
    // Its page is over for us, not for the provider: nothing of this kind may lose money.
    await store.write((db) => db.updateTable('orders').set({ state: 'expired' }).execute());
    await press(OTHER);
    const events = [provider.pay('cs_1'), provider.pay('cs_2')];
    const results = await Promise.all(events.map((event) => handleEvent(event, NOON)));
    expect(results.sort()).toEqual(['fulfilled', 'late']);
    const all = await orders();
    expect(all.map(({ state }) => state)).toEqual(['paid', 'paid']);
    expect(all.filter((one) => one.invoice_number !== null)).toHaveLength(1);
    expect([await store.count('refunds'), await confirmations()]).toEqual([1, 1]);
  });

  it('is closed before its application is opened again, unless it was paid just before', async () => {
    await press();
    expect(await reopen(await now(), BROWSER, NOON)).toBe('reopened');
    expect(provider.page('cs_1').status).toBe('expired');
    expect(await orders()).toMatchObject([{ state: 'expired' }]);
    expect(await now()).toMatchObject({ state: 'draft' });
    application = await certified();
    provider.pay(pageOf(await press()));
    expect(await reopen(await now(), BROWSER, NOON)).toBe('closed');
    expect(await now()).toMatchObject({ state: 'paid' });
  });

  it('is not left open, whoever opens the application again at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const row = await certified();
      await press(CHOICE, NOON, row);
      const fresh = await now(row.id);
      await Promise.all([
        reopen(fresh, BROWSER, NOON),
        press(CHOICE, NOON, row),
        reopen(fresh, BROWSER, NOON),
        press(OTHER, NOON, row),
      ]);
      const { state } = await now(row.id);
      const waiting = (await orders(row.id)).filter((one) => one.state === 'created');
      if (state === 'draft') expect(waiting).toEqual([]);
      else expect(state).toBe('awaiting_payment');
      const over = (await orders(row.id)).filter((one) => one.state !== 'created');
      const left = [...provider.pages.values()].filter(({ status }) => status === 'open');
      for (const { id } of over) expect(left.map(({ orderId }) => orderId)).not.toContain(id);
    }
  });

  it('keeps its application from being deleted, also while the provider cannot be reached; it is over once that does not know it', async () => {
    await press();
    provider.fails = 'unavailable';
    await expect(reopen(await now(), BROWSER, NOON)).rejects.toMatchObject({ status: 503 });
    await expect(closeOpenCheckout(application.id, NOON)).rejects.toThrow('away');
    expect(await remove()).toBe(false);
    expect(await now()).toMatchObject({ state: 'awaiting_payment' });
    expect(await orders()).toMatchObject([{ state: 'created' }]);
    provider.fails = undefined;
    provider.pages.clear();
    expect(await closeOpenCheckout(application.id, NOON)).toBe('closed');
    expect(await orders()).toMatchObject([{ state: 'expired' }]);
    expect([await remove(), await now()]).toEqual([true, undefined]);
    expect(await store.count('orders')).toBe(0);
  });

  it('is cleared up before its application expires, and goes with it 30 days later', async () => {
    await press();
    const later = addDays(NOON, 40);
    provider.now = later;
    expect(await purge('drafts', store.secureWrite, later)).toMatchObject({
      expired: 0,
      notices: 1,
    });
    provider.fails = 'unavailable';
    expect(await reconcilePayments(later)).toMatchObject({ unavailable: 2 });
    expect(await orders()).toMatchObject([{ state: 'created' }]);
    provider.fails = undefined;
    expect(await reconcilePayments(later)).toMatchObject({ expired: 1 });
    const told = addDays(later, 7);
    expect(await purge('drafts', store.secureWrite, told)).toMatchObject({ expired: 1 });
    expect(await purge('drafts', store.secureWrite, addDays(told, 31))).toMatchObject({
      removed: 1,
    });
    expect(await store.count('orders')).toBe(0);
  });

  it('is found by reconciliation when no event has arrived, or the provider has none any more', async () => {
    await pressAndPay();
    const later = addHours(NOON, 5);
    expect(await reconcilePayments(later)).toMatchObject({ events: 1, paid: 1, expired: 0 });
    // The delivery counts from the payment, not from when it was found.
    const times = { paid_at: NOON.toISOString(), due_at: addHours(NOON, 24).toISOString() };
    expect(await orders()).toMatchObject([{ state: 'paid', ...times }]);
    expect(await reconcilePayments(later)).toMatchObject({ events: 0, paid: 0 });
    provider.pay(pageOf(await press(CHOICE, NOON, await certified())));
    provider.events.length = 0;
    expect(await reconcilePayments(addMinutes(NOON, 29))).toMatchObject({ paid: 0 });
    expect(await reconcilePayments(addMinutes(NOON, 31))).toMatchObject({ paid: 1 });
  });

  it('is over after 35 minutes without a page, and where its application waits for nothing', async () => {
    provider.fails = 'unavailable';
    await press();
    provider.fails = undefined;
    expect(await reconcilePayments(addMinutes(NOON, 34))).toMatchObject({ expired: 0 });
    expect(await reconcilePayments(addMinutes(NOON, 35))).toMatchObject({ expired: 1 });
    expect(await states()).toEqual(['expired']);
    await press();
    await become('cancelled');
    expect(await reconcilePayments(NOON)).toMatchObject({ expired: 1 });
    expect(provider.page('cs_1').status).toBe('expired');
  });

  it('of which one event fails does not hold up the others', async () => {
    const second = await certified();
    for (const row of [application, second]) provider.pay(pageOf(await press(CHOICE, NOON, row)));
    failNext('a mistake');
    expect(await reconcilePayments(NOON)).toMatchObject({ paid: 1, failed: 1 });
    expect(await reconcilePayments(NOON)).toMatchObject({ paid: 1 });
  });

  it('is told of a dispute, and of what nobody asked for, once', async () => {
    await pressAndTake();
    const dispute = {
      id: 'dp_1',
      paymentId: 'pi_cs_1',
      amountCents: 6995,
      status: 'open',
    } as const;
    const event = { ...provider.tell('charge.dispute.created'), dispute };
    const disputed = await atOnce(30, () => handleEvent(event, NOON));
    expect(tally(disputed)).toEqual({ disputed: 1, repeated: 29 });
    expect(await orders()).toMatchObject([{ state: 'disputed' }]);
    const unknown = provider.tell('payout.paid');
    const ignored = await atOnce(30, () => handleEvent(unknown, NOON));
    expect(tally(ignored)).toEqual({ ignored: 1, repeated: 29 });
  });

  it('is neither withdrawn from nor cancelled against itself while its payment is told again', async () => {
    await pressAndTake();
    const [order] = await orders();
    const page = provider.page('cs_1');
    await Promise.all([
      atOnce(10, () => fulfil(page, NOON)),
      store.write(async (db) => {
        const held = (await holdContract(db, order?.id ?? '')) as OrderRow;
        await cancelOrder(db, held, { kind: 'withdrawal', actor: ANYBODY }, NOON);
      }),
      atOnce(10, () => fulfil(page, NOON)),
    ]);
    expect(await now()).toMatchObject({ state: 'cancelled' });
    expect(await store.count('refunds')).toBe(1);
  });
});
