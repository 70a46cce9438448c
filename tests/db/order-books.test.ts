import { addHours, subDays } from 'date-fns';
import { expect, it } from 'vitest';

import { countDays } from '~/desk/dashboard.server';
import { listDayCounts } from '~db/queries/day-counts.server';
import { sumPaid } from '~db/queries/numbers.server';
import { firstPaidAt, listCreditNotes, sumRefunds } from '~db/queries/order-books.server';
import { beginEvent, endEvent } from '~db/queries/payment-events.server';
import { rowsIn } from '~db/queries/rows.server';
import { purge } from '../../operations/retention';
import { addOrderTo, addRefundTo } from '../http/orders';
import { addPaidOrder } from '../paid-orders';
import { describeEngines, describeStore } from './engines';

const PERIOD = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-12-01T00:00:00Z') };
const NOON = '2026-11-15T12:00:00.000Z';

describeEngines('the accounts of a period', (store) => {
  it('are added up by currency; refunds by kind, and apart where they came back', async () => {
    expect(await sumPaid(store.db, PERIOD)).toEqual([]);
    expect(await firstPaidAt(store.db)).toBeUndefined();
    for (const paid_at of ['2026-10-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z'])
      await addOrderTo(store.db, { paid_at });
    expect(await firstPaidAt(store.db)).toBe('2026-10-31T23:59:59.999Z');
    const order = await store.write(async (db) => {
      await addOrderTo(db, { paid_at: NOON, amount_cents: 2_000_000_000 });
      await addOrderTo(db, { paid_at: NOON, amount_cents: 2_000_000_000 });
      await addOrderTo(db, { paid_at: null, state: 'created', fulfilled_at: null });
      const { order: dollars } = await addOrderTo(db, { paid_at: NOON, currency: 'USD' });
      const sent_at = NOON;
      await addRefundTo(db, dollars, { sent_at, amount_cents: 1000 });
      await addRefundTo(db, dollars, { sent_at, amount_cents: 500, state: 'settled' });
      await addRefundTo(db, dollars, { sent_at, amount_cents: 300, state: 'failed' });
      await addRefundTo(db, dollars, { sent_at, amount_cents: 200, kind: 'dispute' });
      const asked = { state: 'requested', sent_at: null, credit_note_number: null } as const;
      await addRefundTo(db, dollars, asked);
      return dollars;
    });
    const payments = await sumPaid(store.db, PERIOD);
    // More than 32 bits hold.
    expect(payments.sort((a, b) => a.currency.localeCompare(b.currency))).toMatchObject([
      { currency: 'EUR', count: 2, cents: 4_000_000_000 },
      { currency: 'USD', count: 1, cents: 3995 },
    ]);
    expect((await sumRefunds(store.db, PERIOD)).sort((a, b) => b.cents - a.cents)).toEqual([
      { currency: 'USD', kind: 'goodwill', failed: false, count: 2, cents: 1500 },
      { currency: 'USD', kind: 'goodwill', failed: true, count: 1, cents: 300 },
      { currency: 'USD', kind: 'dispute', failed: false, count: 1, cents: 200 },
    ]);
    const notes = await listCreditNotes(store.db, [order.id, order.id]);
    expect(notes.map(({ amount_cents: cents }) => cents).sort((a, b) => a - b)).toEqual([
      200, 300, 500, 1000,
    ]);
    expect(await listCreditNotes(store.db, [])).toEqual([]);
  });
});

/** In Paris clocks are put back on 25 October. */
const TODAY = new Date('2026-10-27T09:00:00.000Z');

describeStore('days that are over', (store) => {
  const dayOf = async (day: string) => {
    const names = ['drafts', 'orders', 'filed'];
    const rows = await listDayCounts(store.db, { first: day, last: day }, names);
    const own = rows.filter((row) => row.value > 0);
    return Object.fromEntries(own.map(({ name, value }) => [name, value]));
  };

  it('are counted in the time zone of the site, once, and stay as they are', async () => {
    const order = (at: string) => addPaidOrder(store.db, { at: new Date(at) });
    const first = await order('2026-10-24T21:59:59.999Z');
    const second = await order('2026-10-24T22:00:00.000Z');
    await order('2026-10-25T22:59:59.999Z');
    await order('2026-10-25T23:00:00.000Z');
    // Today is not over.
    await order('2026-10-27T08:00:00.000Z');
    const filed = (id: string, filed_at: string) =>
      store.setApplications({ state: 'filed', filed_at }, id);
    await filed(first.application_id, '2026-10-24T17:00:00.000Z');
    await filed(second.application_id, '2026-10-25T14:00:00.000Z');

    expect(await countDays(TODAY, store)).toBe(90);
    const days = ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27'];
    const counted = [];
    for (const day of days) counted.push(await dayOf(day));
    expect(counted).toEqual([
      { drafts: 1, orders: 1, filed: 1 },
      { drafts: 2, orders: 2, filed: 1 },
      { drafts: 1, orders: 1 },
      {},
    ]);

    expect(await countDays(addHours(TODAY, 0.5), store)).toBe(0);
    // What reaches a day late is counted an hour later; not so many days later.
    await order('2026-10-26T12:00:00.000Z');
    expect(await countDays(addHours(TODAY, 1), store)).toBeGreaterThan(0);
    expect(await dayOf('2026-10-26')).toMatchObject({ orders: 2 });
    await countDays(addHours(TODAY, 24 * 5), store);
    await order('2026-10-26T12:00:00.000Z');
    await countDays(addHours(TODAY, 24 * 5 + 2), store);
    expect(await dayOf('2026-10-26')).toMatchObject({ orders: 2 });
  });
});

describeStore('what a payment provider has told', (store) => {
  const now = new Date('2027-03-01T12:00:00.000Z');
  const idsOf = async (table: 'payment_events' | 'stand_in_objects') =>
    (await store.rows(table)).map(({ id }) => id);

  it('goes once nobody tells it again; payments, and what waits, stay', async () => {
    for (const days of [59, 61]) {
      const at = subDays(now, days);
      await store.write(async (db) => {
        await beginEvent(db, { id: `taken ${days}`, type: 'refund.created' }, at);
        await endEvent(db, { id: `taken ${days}`, orderId: null, outcome: 'ignored' }, at);
        const made = { data: '{}', version: 1, created_at: at.toISOString() };
        for (const kind of ['answer', 'event', 'payment', 'refund', 'session', 'dispute']) {
          await rowsIn(db).insertNew('stand_in_objects', {
            ...made,
            kind,
            id: `${kind} ${days}`,
            due_at: null,
          });
        }
        const due = { id: `due ${days}`, kind: 'event', due_at: now.toISOString() };
        await rowsIn(db).insertNew('stand_in_objects', { ...made, ...due });
      });
    }
    expect(await purge('paymentEvents', store.write, now)).toEqual({ events: 3 });
    expect(await idsOf('payment_events')).toEqual(['taken 59']);
    const left = await idsOf('stand_in_objects');
    expect(left).toHaveLength(12);
    const kept = ['dispute', 'due', 'payment', 'refund', 'session'];
    expect(left.filter((id) => id.endsWith('61'))).toEqual(kept.map((kind) => `${kind} 61`));
    expect(await purge('paymentEvents', store.write, now)).toEqual({ events: 0 });
  });
});
