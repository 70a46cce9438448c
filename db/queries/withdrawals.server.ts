import type { Insertable, Selectable, Updateable } from 'kysely';

import type { Database, Schema } from '../schema';

export type WithdrawalRow = Selectable<Schema['withdrawals']>;

export async function insertWithdrawal(
  db: Database,
  row: Insertable<Schema['withdrawals']>,
): Promise<void> {
  await db.insertInto('withdrawals').values(row).execute();
}

export async function findWithdrawal(db: Database, id: string): Promise<WithdrawalRow | undefined> {
  return db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The withdrawals from an order, the earliest first. */
export async function listWithdrawalsOf(db: Database, orderId: string): Promise<WithdrawalRow[]> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('received_at')
    .execute();
}

/** The latest withdrawals that no order was found for. */
export async function listOrderlessWithdrawals(
  db: Database,
  limit: number,
): Promise<WithdrawalRow[]> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('order_id', 'is', null)
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute();
}

/** Whether an order was withdrawn from before. */
export async function hasWithdrawal(
  db: Database,
  orderId: string,
  { except = '' } = {},
): Promise<boolean> {
  const found = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('order_id', '=', orderId)
    .where('id', '!=', except)
    .where('outcome', 'in', ['matched', 'late'])
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Changes a withdrawal that nobody has seen to yet.
 *
 * @returns false if somebody has
 */
export async function updateOpenWithdrawal(
  db: Database,
  id: string,
  changes: Omit<Updateable<Schema['withdrawals']>, 'id'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('withdrawals')
    .set(changes)
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The withdrawals that nobody has seen to yet, the earliest first. */
export async function listOpenWithdrawals(
  db: Database,
  outcomes: readonly WithdrawalRow['outcome'][],
): Promise<WithdrawalRow[]> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('handled_at', 'is', null)
    .where('outcome', 'in', [...outcomes])
    .orderBy('received_at')
    .limit(200)
    .execute();
}
