import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import { dayOf } from '../clock.server';
import { queryDatabase } from '../database.server';
import type { Package } from '../domain/offer';
import { refundDueDay } from '../domain/order/deadlines';
import { isUndecided } from '../domain/order/refund-rules';
import type { RefundState } from '../domain/order/states';
import { formatDay, formatMoment, formatMoney } from '../i18n/format.server';
import type { Language } from '../i18n/languages';
import { siteSettings } from '../settings/settings.server';

/** A refund as the traveller sees it: asked for, decided, on its way; who decides is the desk's matter. */
export interface RefundView {
  is: 'requested' | 'approved' | 'sent' | 'settled' | 'delayed' | 'refused';
  amount: string;
  on: string;
  /** Until when it is paid, while nobody has decided. */
  due?: string;
}

/** A paid order of an application, in words. */
export interface OrderView {
  package: Package;
  paid: string;
  paidOn: string;
  /** When work begins, where that is later than the payment. */
  start?: string;
  invoice?: string;
  /** The bank of the traveller has asked for the money back. */
  isDisputed: boolean;
  refunds: RefundView[];
}

/**
 * What was paid for an application, the latest first: dates, amounts and numbers, and nothing of the
 * answers, so that a link to the state alone may show it.
 *
 * @throws if the database cannot be read
 */
export async function orderViews(applicationId: string, language: Language): Promise<OrderView[]> {
  return queryDatabase(async (db) => {
    const paid = (await listOrdersOf(db, applicationId)).filter(({ paid_at }) => paid_at !== null);
    const views = [];
    for (const order of paid) {
      views.push(orderView(order, await listRefundsOf(db, order.id), language));
    }
    return views;
  });
}

function orderView(order: OrderRow, refunds: RefundRow[], language: Language): OrderView {
  const { paid_at, created_at, fulfilled_at, starts_at, invoice_number } = order;
  const { paidToDays } = siteSettings().guarantee;
  const isLater = order.start_choice === 'after_14_days';
  return {
    package: order.package,
    paid: formatMoney(order.amount_cents, order.currency, language),
    paidOn: dayInWords(paid_at ?? created_at, language),
    ...(fulfilled_at !== null && isLater && starts_at && { start: moment(starts_at, language) }),
    ...(invoice_number !== null && { invoice: invoice_number }),
    isDisputed: order.state === 'disputed',
    refunds: refunds.map((refund) => ({
      is: IS[refund.state],
      amount: formatMoney(refund.amount_cents, order.currency, language),
      on: dayInWords(latestDate(refund), language),
      ...(isUndecided(refund.state) && {
        due: formatDay(
          refundDueDay(refund.kind, dayOf(new Date(refund.created_at)), paidToDays),
          language,
        ),
      }),
    })),
  };
}

const IS: Record<RefundState, RefundView['is']> = {
  requested: 'requested',
  proposed: 'requested',
  approved: 'approved',
  sent: 'sent',
  settled: 'settled',
  failed: 'delayed',
  refused: 'refused',
};

/** Of a proposal nothing is told: until somebody approves it, it is what was asked for. */
function latestDate({ created_at, approved_at, sent_at, settled_at }: RefundRow): string {
  return settled_at ?? sent_at ?? approved_at ?? created_at;
}

function dayInWords(instant: string, language: Language): string {
  return formatDay(dayOf(new Date(instant)), language);
}

function moment(instant: string, language: Language): string {
  return formatMoment(new Date(instant), language, siteSettings().timeZone);
}
