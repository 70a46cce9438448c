import type { Database } from '../schema';
import { rowsIn } from './rows.server';

/** From 1, in the transaction `db` that uses it: taken back with it, so that there are no gaps. */
export async function nextNumber(db: Database, name: string): Promise<number> {
  const { value } = await db
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counters.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

export const setCounter = (db: Database, name: string, value: number) =>
  db
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();

export const counterValue = async (db: Database, name: string) =>
  (await rowsIn(db).find('counters', { name }))?.value;
