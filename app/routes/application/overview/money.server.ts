import { dayOf } from '~/clock.server';
import { refundDueDay } from '~/domain/order/deadlines';
import { isUndecided, leftToRefund } from '~/domain/order/refund-rules';
import { formatDay, formatMoney } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { standingOf } from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import { findFulfilledOrder, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import type { Database } from '~db/schema';

/** What becomes of the money when an application is cancelled, in words and dates. */
export interface MoneyView {
  /**
   * `whole`: the price goes back; `part`: less what was done of work that was to begin at once; `look`: the
   * desk decides; `known`: a refund is under way or done; `disputed`: the bank decides.
   */
  is: 'whole' | 'part' | 'look' | 'known' | 'disputed';
  price: string;
  paidOn: string;
  /** Until when it is paid. */
  due: string;
}

/** Of an application that is to be cancelled; undefined: nothing was paid for it. */
export async function moneyOf(
  db: Database,
  applicationId: string,
  { language, now }: { language: Language; now: Date },
): Promise<MoneyView | undefined> {
  const order = await findFulfilledOrder(db, applicationId);
  if (!order) return undefined;
  const { paidToDays } = siteSettings().guarantee;
  return {
    is: fateOf(order, await listRefundsOf(db, order.id), now),
    price: formatMoney(order.amount_cents, order.currency, language),
    paidOn: formatDay(dayOf(new Date(order.paid_at ?? order.created_at)), language),
    due: formatDay(refundDueDay('cancellation', dayOf(now), paidToDays), language),
  };
}

function fateOf(order: OrderRow, refunds: readonly RefundRow[], now: Date): MoneyView['is'] {
  const isUnderWay = refunds.some(({ state }) => isUndecided(state) || state === 'approved');
  if (isUnderWay || leftToRefund(order.amount_cents, refunds) === 0) return 'known';
  if (order.state === 'disputed') return 'disputed';
  const standing = standingOf(order, now);
  if (standing === 'over' || refunds.length > 0) return 'look';
  const isBegun = order.starts_at === null || order.starts_at <= now.toISOString();
  return order.guarantee_days > 0 || !isBegun ? 'whole' : 'part';
}
