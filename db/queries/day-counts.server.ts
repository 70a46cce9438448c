import { sql } from 'kysely';

import type { Period } from '~/domain/day-period';
import type { Database } from '../schema';
import { rowsIn, within } from './rows.server';

export type Counts = Readonly<Record<string, number>>;

const COUNTED_COLUMNS = {
  checks: ['eligibility_assessments', 'completed_at'],
  drafts: ['applications', 'created_at'],
  certified: ['applications', 'certified_at'],
  orders: ['orders', 'paid_at'],
  filed: ['applications', 'filed_at'],
  decided: ['applications', 'decided_at'],
} as const;
export type CountedName = keyof typeof COUNTED_COLUMNS;

export async function countPeriod<N extends CountedName>(
  db: Database,
  names: readonly N[],
  period: Period,
): Promise<Record<N, number>> {
  const row = await db
    .selectNoFrom(() =>
      names.map((name) => {
        const [table, column] = COUNTED_COLUMNS[name];
        const count = sql<number>`select count(*) from ${sql.table(table)}`;
        return sql<number>`(${count} where ${within(column, period)})`.as(name);
      }),
    )
    .executeTakeFirstOrThrow();
  const counted = Object.entries(row).map(([name, count]) => [name, Number(count)]);
  return Object.fromEntries(counted) as Record<N, number>;
}

export async function replaceDay(db: Database, day: string, counts: Counts): Promise<void> {
  await rowsIn(db).delete('day_counts', { day }).execute();
  await db
    .insertInto('day_counts')
    .values(Object.entries(counts).map(([name, value]) => ({ day, name, value })))
    // Of two that count a day at the same moment, either is right.
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'name'])
        .doUpdateSet((row) => ({ value: row.ref('excluded.value') })),
    )
    .execute();
}

/** From one day on, up to another. */
export type Days = { first: string; last: string };

export const listDayCounts = (db: Database, { first, last }: Days, names: readonly string[]) =>
  rowsIn(db)
    .of('day_counts')
    .where('day', '>=', first)
    .where('day', '<=', last)
    .where('name', 'in', names)
    .execute();

export async function listCountries(db: Database, day: string, before: string) {
  const rows = await rowsIn(db)
    .of('day_counts', { day })
    .where('name', 'like', `${before}%`)
    .execute();
  return rows.map(({ name, value }) => ({ code: name.slice(before.length), count: value }));
}
