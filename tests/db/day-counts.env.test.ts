import { addHours } from 'date-fns';
import { expect, it } from 'vitest';

import { countDays } from '~/desk/day-counts.server';
import { listDayCounts } from '~db/queries/day-counts.server';
import type { Database } from '~db/schema';
import { addPaidOrder } from '../paid-orders';
import { describeEngines } from './engines';
import { freshStore, stubLiveSite } from './live-store';

stubLiveSite();

/** In Paris clocks are put back on 25 October. */
const NOW = new Date('2026-10-27T09:00:00.000Z');

async function dayOf(db: Database, day: string) {
  const names = ['drafts', 'orders', 'filed', 'late', 'approved', 'not_authorized'];
  const rows = await listDayCounts(db, day, [...names, 'hours 5', 'hours 28']);
  const own = rows.filter((row) => row.day === day && row.value > 0);
  return Object.fromEntries(own.map(({ name, value }) => [name, value]));
}

describeEngines('days that are over', (databases) => {
  const store = freshStore(databases);

  it('are counted in the time zone of the site, once, and stay as they are', async () => {
    const order = (at: string) => addPaidOrder(store.db, { at: new Date(at) });
    const first = await order('2026-10-24T21:59:59.999Z');
    const second = await order('2026-10-24T22:00:00.000Z');
    await order('2026-10-25T22:59:59.999Z');
    await order('2026-10-25T23:00:00.000Z');
    // Today is not over.
    await order('2026-10-27T08:00:00.000Z');
    const filed = async (id: string, hours: number, dueHours: number) => {
      const start = new Date('2026-10-24T12:00:00.000Z');
      const at = addHours(start, hours).toISOString();
      const due_at = addHours(start, dueHours).toISOString();
      const times = { starts_at: start.toISOString(), due_at, entered_at: at, filed_at: at };
      const decided_at = '2026-10-26T12:00:00.000Z';
      await store.setApplications({ state: 'approved', ...times, decided_at }, id);
    };
    await filed(first.application_id, 5, 24);
    await filed(second.application_id, 26, 24);

    expect(await countDays(NOW, store)).toBe(90);
    const days = ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27'];
    const counted = [];
    for (const day of days) counted.push(await dayOf(store.db, day));
    expect(counted).toEqual([
      { drafts: 1, orders: 1, filed: 1, 'hours 5': 1 },
      { drafts: 2, orders: 2, filed: 1, late: 1, 'hours 28': 1 },
      { drafts: 1, orders: 1, approved: 2 },
      {},
    ]);

    expect(await countDays(addHours(NOW, 0.5), store)).toBe(0);
    // What reaches a day late is counted an hour later; not so many days later.
    await order('2026-10-26T12:00:00.000Z');
    expect(await countDays(addHours(NOW, 1), store)).toBeGreaterThan(0);
    expect(await dayOf(store.db, '2026-10-26')).toMatchObject({ orders: 2 });
    await countDays(addHours(NOW, 24 * 5), store);
    await order('2026-10-26T12:00:00.000Z');
    await countDays(addHours(NOW, 24 * 5 + 2), store);
    expect(await dayOf(store.db, '2026-10-26')).toMatchObject({ orders: 2 });
  });
});
