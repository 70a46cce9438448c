import type { Database } from '../schema';

const AT_ONCE = 50;

/** The orders that were paid before an instant, the earliest first, with their applications. */
export async function listOrdersPaidBefore(
  db: Database,
  instant: Date,
): Promise<{ id: string; application_id: string }[]> {
  return db
    .selectFrom('orders')
    .innerJoin('applications', 'applications.id', 'orders.application_id')
    .select(['orders.id', 'orders.application_id'])
    .where('orders.paid_at', '<', instant.toISOString())
    .where('applications.hold_reason', 'is', null)
    .orderBy('orders.paid_at')
    .limit(AT_ONCE)
    .execute();
}

export async function deleteOrder(db: Database, id: string): Promise<void> {
  await db.deleteFrom('refunds').where('order_id', '=', id).execute();
  await db.deleteFrom('withdrawals').where('order_id', '=', id).execute();
  await db.deleteFrom('orders').where('id', '=', id).execute();
}

/** Deletes the emptied row of an application that no order needs any more. */
export async function deleteEmptied(db: Database, applicationId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('applications')
    .where('id', '=', applicationId)
    .where('purged_at', 'is not', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('orders')
            .select('id')
            .whereRef('application_id', '=', 'applications.id'),
        ),
      ),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the terms that no order was placed under any more. */
export async function deleteUnusedTexts(db: Database): Promise<void> {
  await db
    .deleteFrom('contract_texts')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('orders')
            .select('id')
            .whereRef('terms_hash', '=', 'contract_texts.hash'),
        ),
      ),
    )
    .execute();
}

/** Deletes the withdrawals that no order was found for and that staff has seen to before an instant. */
export async function deleteWithdrawalsBefore(db: Database, instant: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('withdrawals')
    .where('order_id', 'is', null)
    .where('handled_at', '<', instant.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}
