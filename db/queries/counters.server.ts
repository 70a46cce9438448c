import type { Database } from '../schema';
import { hasChanged, rowsIn } from './rows.server';

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

/** An optimistic lock. @returns whether it was `from`, or not there: of several who read that, one moves it */
export async function moveCounter(db: Database, name: string, from: number, to: number) {
  const isNew = await rowsIn(db).insertNew('counters', { name, value: to });
  return isNew || hasChanged(rowsIn(db).update('counters', { name, value: from }, { value: to }));
}

export const setCounter = (db: Database, name: string, value: number) =>
  db
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();

export const counterValue = async (db: Database, name: string) =>
  (await rowsIn(db).find('counters', { name }))?.value;
