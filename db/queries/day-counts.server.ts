import { sql } from 'kysely';

import type { Filing } from '~/domain/dashboard';
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

export const listFilings = (db: Database, period: Period): Promise<Filing[]> =>
  db
    .selectFrom('applications')
    .select(['starts_at', 'due_at', 'entered_at', 'filed_at'])
    .where(within('filed_at', period))
    .execute();

/** The states that decisions of a part of time have led to, as they stand, one for each. */
export async function listOutcomes(db: Database, period: Period): Promise<string[]> {
  // Not grouped: to have them in the order of their states, SQLite would read all applications.
  const rows = await db
    .selectFrom('applications')
    .select('state')
    .where(within('decided_at', period))
    .execute();
  return rows.map(({ state }) => state);
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

export const listDayCounts = (db: Database, from: string, names: readonly string[]) =>
  rowsIn(db).of('day_counts').where('day', '>=', from).where('name', 'in', names).execute();

export async function sumDayCounts(db: Database, from: string, names?: readonly string[]) {
  const rows = await db
    .selectFrom('day_counts')
    .select(({ fn }) => ['name', fn.sum<number>('value').as('sum')])
    .where('day', '>=', from)
    .$if(names !== undefined, (query) => query.where('name', 'in', names ?? []))
    .groupBy('name')
    .execute();
  return Object.fromEntries(rows.map(({ name, sum }) => [name, Number(sum)]));
}
