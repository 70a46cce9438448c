import { subDays } from 'date-fns';
import { expect, it } from 'vitest';

import { beginEvent, endEvent } from '~db/queries/payment-events.server';
import { insertStandInObject } from '~db/queries/stand-in-objects.server';
import type { Store } from '~db/store.server';
import { purgePaymentNews } from '../../operations/purge';
import { describeEngines } from './engines';
import { freshStore } from './live-store';

const NOW = new Date('2027-03-01T12:00:00.000Z');

describeEngines('what a payment provider has told', (databases) => {
  const store = freshStore(databases);
  const idsOf = async ({ db }: Pick<Store, 'db'>, table: 'payment_events' | 'stand_in_objects') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);

  it('goes once nobody tells it again; payments, and what waits, stay', async () => {
    for (const days of [59, 61]) {
      const at = subDays(NOW, days);
      await store.write(async (db) => {
        await beginEvent(db, { id: `taken ${days}`, type: 'refund.created' }, at);
        await endEvent(db, { id: `taken ${days}`, orderId: null, outcome: 'ignored' }, at);
        for (const kind of ['answer', 'event', 'payment', 'refund', 'session', 'dispute']) {
          const made = { kind, data: '{}', version: 1, created_at: at.toISOString() };
          await insertStandInObject(db, { ...made, id: `${kind} ${days}`, due_at: null });
        }
        const due = { id: `due ${days}`, kind: 'event', due_at: NOW.toISOString() };
        const made = { data: '{}', version: 1, created_at: at.toISOString() };
        await insertStandInObject(db, { ...made, ...due });
      });
    }
    expect(await purgePaymentNews(store.write, NOW)).toEqual({ events: 3 });
    expect(await idsOf(store, 'payment_events')).toEqual(['taken 59']);
    const left = await idsOf(store, 'stand_in_objects');
    expect(left).toHaveLength(12);
    const kept = ['dispute', 'due', 'payment', 'refund', 'session'];
    expect(left.filter((id) => id.endsWith('61'))).toEqual(kept.map((kind) => `${kind} 61`));
    expect(await purgePaymentNews(store.write, NOW)).toEqual({ events: 0 });
  });
});
