import { dayOf } from '~/clock.server';
import { lastGuaranteeDay } from '~/domain/order/deadlines';
import { listOrdersOf } from '~db/queries/orders.server';
import { listRefundsOf } from '~db/queries/refunds.server';
import type { Database } from '~db/schema';

/**
 * Whether the price of an application can be asked back under our guarantee: until a day (yyyy-MM-dd),
 * `asked` before, or `over`.
 */
export async function guaranteeOf(
  db: Database,
  applicationId: string,
  now: Date,
): Promise<{ until: string } | 'asked' | 'over'> {
  const paid = (await listOrdersOf(db, applicationId)).filter(({ paid_at }) => paid_at !== null);
  const order = paid.find(({ fulfilled_at }) => fulfilled_at !== null) ?? paid[0];
  if (!order) return 'over';
  if ((await listRefundsOf(db, order.id)).length > 0) return 'asked';
  const day = dayOf(new Date(order.paid_at ?? order.created_at));
  const until = lastGuaranteeDay(day, order.guarantee_days);
  return until !== undefined && dayOf(now) <= until ? { until } : 'over';
}
