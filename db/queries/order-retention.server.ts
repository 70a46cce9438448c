import { sql, type SqlBool } from 'kysely';

import type { Database } from '../schema';
import { hasChanged, howMany, rowsIn } from './rows.server';

const AT_ONCE = 50;

/** The orders that were paid before an instant, the earliest first, with their applications. */
export const listOrdersPaidBefore = (db: Database, instant: Date) =>
  db
    .selectFrom('orders')
    .innerJoin('applications', 'applications.id', 'orders.application_id')
    .select(['orders.id', 'orders.application_id'])
    .where('orders.paid_at', '<', instant.toISOString())
    .where('applications.hold_reason', 'is', null)
    .orderBy('orders.paid_at')
    .limit(AT_ONCE)
    .execute();

export async function deleteOrder(db: Database, id: string): Promise<void> {
  await rowsIn(db).delete('refunds', { order_id: id }).execute();
  await rowsIn(db).delete('withdrawals', { order_id: id }).execute();
  await rowsIn(db).delete('orders', { id }).execute();
}

const hasNoOrder = (column: 'application_id' | 'terms_hash', of: string) =>
  sql<SqlBool>`not exists (select 1 from orders where ${sql.ref(`orders.${column}`)} = ${sql.ref(of)})`;

/** Deletes the emptied row of an application that no order needs any more. */
export const deleteEmptied = (db: Database, id: string) =>
  hasChanged(
    rowsIn(db)
      .delete('applications', { id })
      .where('purged_at', 'is not', null)
      .where(hasNoOrder('application_id', 'applications.id')),
  );

/** Deletes the terms that no order was placed under any more. */
export const deleteUnusedTexts = (db: Database) =>
  db.deleteFrom('contract_texts').where(hasNoOrder('terms_hash', 'contract_texts.hash')).execute();

/** Deletes the withdrawals that no order was found for and that staff has seen to before an instant. */
export const deleteWithdrawalsBefore = (db: Database, instant: Date) =>
  howMany(
    rowsIn(db)
      .delete('withdrawals', { order_id: null })
      .where('handled_at', '<', instant.toISOString()),
  );
