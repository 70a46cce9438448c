import { subYears } from 'date-fns';

import { orderLimit } from '~/domain/application/retention';
import { siteSettings } from '~/settings/settings.server';
import { untilNone } from '~/until-none';
import type { Database } from '~db/schema';
import { insertDeletion } from '~db/queries/deletions.server';
import {
  deleteEmptied,
  deleteOrder,
  deleteUnusedTexts,
  deleteWithdrawalsBefore,
  listOrdersPaidBefore,
} from '~db/queries/order-retention.server';
import { deleteUnpaidOrders } from '~db/queries/orders.server';

/**
 * Deletes the orders whose years are over, with refunds, withdrawals and the emptied rows of their
 * applications; and withdrawals that no order was found for, as long after they were seen to as it is
 * remembered who did what.
 *
 * @param erase runs work in a transaction; what it deletes is gone from the raw files too
 */
export async function purgeOrders(
  erase: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  now: Date,
): Promise<{ orders: number; withdrawals: number }> {
  const { auditYears, orderYears } = siteSettings();
  const limit = orderLimit(now, orderYears);
  const orders = await untilNone(() => erase((db) => purgeSome(db, limit, now)));
  const withdrawals = await erase((db) => deleteWithdrawalsBefore(db, subYears(now, auditYears)));
  return { orders, withdrawals };
}

async function purgeSome(db: Database, limit: Date, now: Date): Promise<number> {
  const due = await listOrdersPaidBefore(db, limit);
  for (const { id, application_id } of due) {
    await deleteOrder(db, id);
    await insertDeletion(db, { subject: 'order', id, reason: 'retention' }, now);
    // What was tried before it, and not paid, keeps the row no longer.
    await deleteUnpaidOrders(db, application_id);
    await deleteEmptied(db, application_id);
  }
  if (due.length > 0) await deleteUnusedTexts(db);
  return due.length;
}
