import type { Database } from '../schema';
import { type Row, selectIds } from './rows.server';

/** Whoever is told of the same waits for its end. @returns false if it was taken before */
export async function beginEvent(
  db: Database,
  { id, type }: Pick<Row<'payment_events'>, 'id' | 'type'>,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('payment_events')
    .values({ id, type, received_at: now.toISOString() })
    // Written anew, so that the row is held.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ type }))
    .returning('processed_at')
    .executeTakeFirstOrThrow();
  return row.processed_at === null;
}

/** `orderId` as the provider says it: there may be no such order. */
export const endEvent = (
  db: Database,
  { id, orderId, outcome }: { id: string; orderId: string | null; outcome: string },
  now: Date,
) =>
  db
    .updateTable('payment_events')
    .set((from) => ({
      processed_at: now.toISOString(),
      order_id: from.selectFrom('orders').select('orders.id').where('orders.id', '=', orderId),
      outcome,
    }))
    .where('id', '=', id)
    .execute();

export async function listTaken(db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const taken = db
    .selectFrom('payment_events')
    .select('id')
    .where('id', 'in', ids)
    .where('processed_at', 'is not', null);
  return new Set(await selectIds(taken));
}
