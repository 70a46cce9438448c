import { randomBytes } from 'node:crypto';

import { addHours } from 'date-fns';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { countDays } from '~/desk/day-counts.server';
import { migrate } from '~db/migrate.server';
import { listDayCounts } from '~db/queries/day-counts.server';
import type { Store } from '~db/store.server';
import { addPaidOrder } from '../paid-orders';
import { describeEngines } from './engines';

beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('OFFLINE_MODE', 'false');
  vi.stubEnv('SESSION_SECRET', randomBytes(32).toString('base64url'));
  vi.stubEnv('DATA_KEYS', `k1:${randomBytes(32).toString('base64')}`);
});
afterAll(() => vi.unstubAllEnvs());

/** In Paris clocks are put back on 25 October. */
const NOW = new Date('2026-10-27T09:00:00.000Z');

async function dayOf(store: Store, day: string) {
  const names = ['drafts', 'orders', 'filed', 'late', 'approved', 'not_authorized'];
  const rows = await listDayCounts(store.db, day, [...names, 'hours 5', 'hours 28']);
  const own = rows.filter((row) => row.day === day && row.value > 0);
  return Object.fromEntries(own.map(({ name, value }) => [name, value]));
}

describeEngines('days that are over', ({ open }) => {
  it('are counted in the time zone of the site, once, and stay as they are', async () => {
    const store = await open();
    await migrate(store);
    const access = {
      read: <T>(work: (db: Store['db']) => Promise<T>) => work(store.db),
      write: <T>(work: (db: Store['db']) => Promise<T>) => store.write(work),
    };
    const order = (at: string) => addPaidOrder(store.db, { at: new Date(at) });
    const first = await order('2026-10-24T21:59:59.999Z');
    const second = await order('2026-10-24T22:00:00.000Z');
    await order('2026-10-25T22:59:59.999Z');
    await order('2026-10-25T23:00:00.000Z');
    // Today is not over.
    await order('2026-10-27T08:00:00.000Z');
    const filed = async (id: string, hours: number, dueHours: number) => {
      const start = new Date('2026-10-24T12:00:00.000Z');
      await store.db
        .updateTable('applications')
        .set({
          state: 'approved',
          starts_at: start.toISOString(),
          due_at: addHours(start, dueHours).toISOString(),
          entered_at: addHours(start, hours).toISOString(),
          filed_at: addHours(start, hours).toISOString(),
          decided_at: '2026-10-26T12:00:00.000Z',
        })
        .where('id', '=', id)
        .execute();
    };
    await filed(first.application_id, 5, 24);
    await filed(second.application_id, 26, 24);

    expect(await countDays(NOW, access)).toBe(90);
    const days = ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27'];
    const counted = [];
    for (const day of days) counted.push(await dayOf(store, day));
    expect(counted).toEqual([
      { drafts: 1, orders: 1, filed: 1, 'hours 5': 1 },
      { drafts: 2, orders: 2, filed: 1, late: 1, 'hours 28': 1 },
      { drafts: 1, orders: 1, approved: 2 },
      {},
    ]);

    expect(await countDays(addHours(NOW, 0.5), access)).toBe(0);
    // What reaches a day late is counted an hour later; not so many days later.
    await order('2026-10-26T12:00:00.000Z');
    expect(await countDays(addHours(NOW, 1), access)).toBeGreaterThan(0);
    expect(await dayOf(store, '2026-10-26')).toMatchObject({ orders: 2 });
    await countDays(addHours(NOW, 24 * 5), access);
    await order('2026-10-26T12:00:00.000Z');
    await countDays(addHours(NOW, 24 * 5 + 2), access);
    expect(await dayOf(store, '2026-10-26')).toMatchObject({ orders: 2 });
  });
});
