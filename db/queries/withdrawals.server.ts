import type { ExpressionBuilder, Updateable } from 'kysely';

import type { Database, Schema } from '../schema';
import { type Row, hasChanged, isThere, rowsIn } from './rows.server';

export type WithdrawalRow = Row<'withdrawals'>;

export const findWithdrawal = (db: Database, id: string) => rowsIn(db).find('withdrawals', { id });

export const listWithdrawalsOf = (db: Database, order_id: string) =>
  rowsIn(db).of('withdrawals', { order_id }).orderBy('received_at').execute();

export const listOrderlessWithdrawals = (db: Database, limit: number) =>
  rowsIn(db)
    .of('withdrawals', { order_id: null })
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute();

/** Or not at all: nobody is asked first. */
const takesEffectByItself = (where: ExpressionBuilder<Schema, 'withdrawals'>) =>
  where('effective_at', 'is', null).or('effective_at', '=', where.ref('received_at'));

/**
 * Not one whose owner has said that it was not them. `isSettled`: nor what waits for the owner;
 * `isHandled`: nor what nothing has followed from yet.
 */
export function hasWithdrawal(
  db: Database,
  order_id: string,
  which: { isSettled?: true; isHandled?: true; except?: string } = {},
): Promise<boolean> {
  const { isSettled, isHandled, except = '' } = which;
  const found = rowsIn(db)
    .of('withdrawals', { order_id })
    .where('id', '!=', except)
    .where('outcome', 'in', ['matched', 'late'])
    .where((where) => where('answer', 'is', null).or('answer', '=', 'yes'))
    .$if(isSettled === true, (query) =>
      query.where((where) => where('handled_at', 'is not', null).or(takesEffectByItself(where))),
    )
    .$if(isHandled === true, (query) => query.where('handled_at', 'is not', null));
  return isThere(found);
}

export const updateOpenWithdrawal = (
  db: Database,
  id: string,
  changes: Omit<Updateable<Schema['withdrawals']>, 'id'>,
) => hasChanged(rowsIn(db).update('withdrawals', { id, handled_at: null }, changes));

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
      takesEffectByItself(where)
        .or(where('asked_at', 'is not', null).and('effective_at', '<=', at.toISOString()))
        .or(where('asked_at', 'is', null).and('order_id', 'not in', beingAsked)),
    )
    .execute();
}

export const isOwnerAsked = (db: Database, orderId: string) =>
  isThere(open(db).where('order_id', '=', orderId).where('asked_at', 'is not', null));

/** What staff see to: nothing follows from it by itself. */
export const listWithdrawalsForStaff = (db: Database) =>
  open(db)
    .where('outcome', 'in', ['unmatched', 'late'])
    .where('effective_at', 'is', null)
    .execute();

export const listHeldWithdrawals = (db: Database) =>
  open(db).whereRef('effective_at', '>', 'received_at').execute();

/** What of an order is to take effect, now or later. */
export const listHeldOf = (db: Database, orderId: string) =>
  open(db).where('effective_at', 'is not', null).where('order_id', '=', orderId).execute();

/** The same of the orders of an application: meanwhile nobody enters it. */
export const findHoldingWithdrawal = (db: Database, applicationId: string) =>
  open(db)
    .innerJoin('orders', 'orders.id', 'withdrawals.order_id')
    .where('orders.application_id', '=', applicationId)
    .where('effective_at', 'is not', null)
    .executeTakeFirst();
