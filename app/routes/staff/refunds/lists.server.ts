import { subDays } from 'date-fns';

import { refundItem, withdrawalItem } from '~/content/refunds.server';
import type { RefundState } from '~/domain/order/states';
import { formatMoney, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/schema';
import { listOrderEvents } from '~db/queries/audit-events.server';
import { listDisputed } from '~db/queries/orders.server';
import { listRefunds } from '~db/queries/refunds.server';
import { listHeldWithdrawals, listWithdrawalsForStaff } from '~db/queries/withdrawals.server';

/** So long a payment of another amount than the order's is shown. */
const MISMATCHED_DAYS = 90;
/** So many of those that are decided. */
const DECIDED = 30;

/** All that the desk must see to about money that goes back, in a language. */
export async function refundLists(db: Database, language: Language, now: Date) {
  const items = async (
    states: readonly RefundState[],
    part?: { latestFirst: boolean; limit: number },
  ) => (await listRefunds(db, states, part)).map((refund) => refundItem(refund, language));
  const open = await items(['requested', 'proposed']);
  const { timeZone } = siteSettings();
  const time = (at: string) => formatShortInstant(new Date(at), language, timeZone);
  return {
    // What is overdue, or nearly, before the rest: the list is in the order in which they were asked for.
    open: [...open.filter(({ isOverdue }) => isOverdue), ...open.filter((one) => !one.isOverdue)],
    failed: await items(['failed']),
    onTheirWay: await items(['approved', 'sent']),
    decided: await items(['settled', 'refused'], { latestFirst: true, limit: DECIDED }),
    withdrawals: (await listWithdrawalsForStaff(db)).map((row) => withdrawalItem(row, language)),
    held: (await listHeldWithdrawals(db)).map((row) => withdrawalItem(row, language)),
    disputes: (await listDisputed(db)).map(({ id, reference, amount_cents, currency }) => ({
      id,
      reference,
      amount: formatMoney(amount_cents, currency, language),
    })),
    mismatched: (await listOrderEvents(db, 'order.mismatched', subDays(now, MISMATCHED_DAYS))).map(
      ({ at, orderId, reference }) => ({ id: orderId, reference, at: time(at) }),
    ),
  };
}
