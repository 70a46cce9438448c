import type { OpenApplication } from '~/applications/access.server';
import { dayOf } from '~/clock.server';
import { eventsFrom } from '~/domain/application/states';
import { lastGuaranteeDay, refundDueDay } from '~/domain/order/deadlines';
import { isUndecided, type RefundStation, refundWay } from '~/domain/order/refund-rules';
import type { RefundKind } from '~/domain/order/states';
import { formatDay, formatMoney, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { textOf } from '~/orders/refunds.server';
import { standingOf } from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/schema';
import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';

export interface RefundView {
  id: string;
  kind: RefundKind;
  stations: RefundStation[];
  /** As it is decided; before that nobody knows. */
  amount?: string;
  /** Until when it is paid, while it is not. */
  due?: string;
  answer?: string;
  /** It did not go through, and is sent anew. */
  isHeldUp: boolean;
}

/**
 * What the page is about: `ask`, the guarantee; `withdraw`, the right of the law alone; `over`, neither
 * any more; `disputed`, the bank has the say; `way`, there is a refund.
 */
export interface RefundPageView {
  mode: 'ask' | 'withdraw' | 'over' | 'disputed' | 'way';
  id: string;
  reference: string;
  price: string;
  paidOn: string;
  /** The last day of the guarantee, or of withdrawal. */
  lastDay?: string;
  /** Whether asking stops our work. */
  isCancelled: boolean;
  paid: { from: number; to: number };
  refunds: RefundView[];
  ways: { email: string; mediator: { name: string; url: string } };
}

/** The order that a refund can be of: the one that was taken for the application, or paid too late. */
export async function paidOrderOf(
  db: Database,
  { row }: OpenApplication,
): Promise<OrderRow | undefined> {
  const paid = (await listOrdersOf(db, row.id)).filter(({ paid_at }) => paid_at !== null);
  return paid.find(({ fulfilled_at }) => fulfilled_at !== null) ?? paid[0];
}

/** The page of one's refund, in a language. */
export async function refundPage(
  db: Database,
  order: OrderRow,
  { row }: OpenApplication,
  { language, now }: { language: Language; now: Date },
): Promise<RefundPageView> {
  const { company, guarantee } = siteSettings();
  const day = (instant: string) => formatDay(dayOf(new Date(instant)), language);
  const refunds = await listRefundsOf(db, order.id);
  const mode = modeOf(order, refunds, now);
  const lastDay = lastGuaranteeDay(
    dayOf(new Date(order.paid_at ?? order.created_at)),
    order.guarantee_days,
  );
  return {
    mode,
    id: row.id,
    reference: order.reference,
    price: formatMoney(order.amount_cents, order.currency, language),
    paidOn: day(order.paid_at ?? order.created_at),
    ...(lastDay !== undefined && { lastDay: formatDay(lastDay, language) }),
    isCancelled: eventsFrom(row.state, 'owner').includes('cancel'),
    paid: { from: guarantee.paidFromDays, to: guarantee.paidToDays },
    refunds: refunds.map((refund) => refundView(refund, order, language)),
    ways: {
      email: company.email,
      mediator: { name: company.mediator.name, url: company.mediator.url },
    },
  };
}

/** Which of its faces the page has. */
export function modeOf(
  order: OrderRow,
  refunds: readonly RefundRow[],
  now: Date,
): RefundPageView['mode'] {
  if (refunds.length > 0) return 'way';
  if (order.state === 'disputed') return 'disputed';
  const standing = standingOf(order, now);
  if (order.guarantee_days > 0 && standing !== 'over') return 'ask';
  return standing === 'withdrawal' ? 'withdraw' : 'over';
}

function refundView(refund: RefundRow, order: OrderRow, language: Language): RefundView {
  const { guarantee, timeZone } = siteSettings();
  const { id, kind, state, amount_cents, created_at } = refund;
  const isDecided = !isUndecided(state) && state !== 'refused';
  const isUnpaid = isUndecided(state) || state === 'approved';
  const due = refundDueDay(kind, dayOf(new Date(created_at)), guarantee.paidToDays);
  const answer = isUndecided(state) ? undefined : textOf(refund, 'answer_sealed');
  return {
    id,
    kind,
    stations: refundWay(refund).map(({ at, ...station }) => ({
      ...station,
      ...(at && { at: formatShortInstant(new Date(at), language, timeZone) }),
    })),
    ...(isDecided && { amount: formatMoney(amount_cents, order.currency, language) }),
    ...(isUnpaid && { due: formatDay(due, language) }),
    ...(answer !== undefined && { answer }),
    isHeldUp: state === 'failed',
  };
}
