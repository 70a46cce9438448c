import { beforeEach, expect, it } from 'vitest';

import { migrate } from '~db/migrate.server';
import {
  firstPaidAt,
  listCreditNotes,
  listPaidOrders,
  listSentRefunds,
  type Place,
  sumPayments,
  sumRefunds,
} from '~db/queries/order-books.server';
import type { Store } from '~db/store.server';
import { addOrderTo, addRefundTo } from '../http/orders';
import { describeEngines } from './engines';
import { stubLiveSite } from './live-store';

stubLiveSite();

const PERIOD = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-12-01T00:00:00Z') };
const NOON = '2026-11-15T12:00:00.000Z';

describeEngines('the accounts of a period', (databases) => {
  let store: Store;
  beforeEach(async () => {
    store = await databases.open();
    await migrate(store);
  });

  it('are read in parts, each row once, though many are of the same instant', async () => {
    const times = [
      '2026-11-01T00:00:00.000Z',
      ...Array<string>(5).fill(NOON),
      '2026-11-30T23:59:59.999Z',
    ];
    const orders = await store.write(async (db) => {
      const added = [];
      for (const paid_at of [...times, '2026-10-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z']) {
        const { order } = await addOrderTo(db, { paid_at });
        await addRefundTo(db, order, { sent_at: paid_at });
        added.push(order);
      }
      return added;
    });
    for (const size of [1, 2, 3, 100]) {
      const paid: string[] = [];
      const refunded: string[] = [];
      let [afterOrder, afterRefund]: (Place | undefined)[] = [];
      for (let part = 0; part < 10; part += 1) {
        for (const row of await listPaidOrders(store.db, PERIOD, afterOrder, size)) {
          paid.push(row.id);
          afterOrder = { at: row.paid_at ?? '', id: row.id };
        }
        for (const row of await listSentRefunds(store.db, PERIOD, afterRefund, size)) {
          refunded.push(row.id);
          afterRefund = { at: row.sent_at ?? '', id: row.refund_id };
        }
      }
      const expected = orders.slice(0, times.length).map(({ id }) => id);
      expect([size, paid.length, [...paid].sort()]).toEqual([size, 7, [...expected].sort()]);
      expect([size, [...refunded].sort()]).toEqual([size, [...expected].sort()]);
      expect([paid[0], paid[6]]).toEqual([expected[0], expected[6]]);
    }
    expect(await firstPaidAt(store.db)).toBe('2026-10-31T23:59:59.999Z');
  });

  it('are added up by currency; refunds by kind, and apart where they came back', async () => {
    expect(await sumPayments(store.db, PERIOD)).toEqual([]);
    expect(await firstPaidAt(store.db)).toBeUndefined();
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
    const payments = await sumPayments(store.db, PERIOD);
    // More than 32 bits hold.
    expect(payments.sort((a, b) => a.currency.localeCompare(b.currency))).toEqual([
      { currency: 'EUR', count: 2, cents: 4_000_000_000 },
      { currency: 'USD', count: 1, cents: 3995 },
    ]);
    const refunds = await sumRefunds(store.db, PERIOD);
    expect(refunds.sort((a, b) => b.cents - a.cents)).toEqual([
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
