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

export async function listWithdrawalsOf(db: Database, orderId: string): Promise<WithdrawalRow[]> {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('received_at')
    .execute();
}

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

/**
 * Whether an order was withdrawn from before, and its owner has not said that it was not them.
 *
 * @param which `isSettled`: what waits for the owner does not count; `isHandled`: nor what nothing has
 *   followed from yet
 */
export async function hasWithdrawal(
  db: Database,
  orderId: string,
  which: { isSettled?: true; isHandled?: true; except?: string } = {},
): Promise<boolean> {
  const { isSettled, isHandled, except = '' } = which;
  const found = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('order_id', '=', orderId)
    .where('id', '!=', except)
    .where('outcome', 'in', ['matched', 'late'])
    .where((where) => where.or([where('answer', 'is', null), where('answer', '=', 'yes')]))
    .$if(isSettled === true, (query) =>
      query.where((where) =>
        where.or([
          where('handled_at', 'is not', null),
          where('effective_at', 'is', null),
          where('effective_at', '=', where.ref('received_at')),
        ]),
      ),
    )
    .$if(isHandled === true, (query) => query.where('handled_at', 'is not', null))
    .executeTakeFirst();
  return found !== undefined;
}

/** Changes a withdrawal that nobody has seen to yet. @returns false if somebody has */
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

const open = (db: Database) =>
  db
    .selectFrom('withdrawals')
    .selectAll('withdrawals')
    .where('handled_at', 'is', null)
    .orderBy('received_at')
    .limit(200);

/** What something follows from at an instant, or whose owner can be asked; the earliest first. */
export async function listDueWithdrawals(db: Database, at: Date): Promise<WithdrawalRow[]> {
  const beingAsked = open(db)
    .clearSelect()
    .select('order_id')
    .where('asked_at', 'is not', null)
    .where('order_id', 'is not', null)
    .clearOrderBy()
    .clearLimit();
  return open(db)
    .where('outcome', '!=', 'unmatched')
    .where((where) =>
      where.or([
        where('effective_at', 'is', null),
        where('effective_at', '=', where.ref('received_at')),
        where('asked_at', 'is not', null).and('effective_at', '<=', at.toISOString()),
        where('asked_at', 'is', null).and('order_id', 'not in', beingAsked),
      ]),
    )
    .execute();
}

export async function isOwnerAsked(db: Database, orderId: string): Promise<boolean> {
  const asked = open(db).where('order_id', '=', orderId).where('asked_at', 'is not', null);
  return (await asked.executeTakeFirst()) !== undefined;
}

/** What staff see to: nothing follows from it by itself. */
export async function listWithdrawalsForStaff(db: Database): Promise<WithdrawalRow[]> {
  return open(db)
    .where('outcome', 'in', ['unmatched', 'late'])
    .where('effective_at', 'is', null)
    .execute();
}

/** What waits for the owner's answer, or for the end of the time for it. */
export async function listHeldWithdrawals(db: Database): Promise<WithdrawalRow[]> {
  return open(db).whereRef('effective_at', '>', 'received_at').execute();
}

/** What of an order is to take effect, now or later. */
export async function listHeldOf(db: Database, orderId: string): Promise<WithdrawalRow[]> {
  return open(db).where('effective_at', 'is not', null).where('order_id', '=', orderId).execute();
}

/** The same of the orders of an application: meanwhile nobody enters it. */
export async function findHoldingWithdrawal(
  db: Database,
  applicationId: string,
): Promise<WithdrawalRow | undefined> {
  return open(db)
    .innerJoin('orders', 'orders.id', 'withdrawals.order_id')
    .where('orders.application_id', '=', applicationId)
    .where('effective_at', 'is not', null)
    .executeTakeFirst();
}
