import { dayOf, today } from '~/clock.server';
import { refundDueDay } from '~/domain/order/deadlines';
import { isUndecided } from '~/domain/order/refund-rules';
import type { RefundKind, RefundState } from '~/domain/order/states';
import { formatMoney, formatShortDay, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { receiptOf } from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import type { ListedRefund } from '~db/queries/refunds.server';
import type { WithdrawalRow } from '~db/queries/withdrawals.server';

/** A refund in a list of the desk's. */
export interface RefundItem {
  id: string;
  reference: string;
  kind: RefundKind;
  state: RefundState;
  amount: string;
  askedOn: string;
  /** The day by which it must be paid; none once it has left. */
  due?: string;
  isOverdue: boolean;
}

/** A refund as the desk lists it, in a language. */
export function refundItem(refund: ListedRefund, language: Language): RefundItem {
  const { id, reference, kind, state, amount_cents, currency, created_at } = refund;
  const { paidToDays } = siteSettings().guarantee;
  const askedOn = dayOf(new Date(created_at));
  const due = refundDueDay(kind, askedOn, paidToDays);
  const isOwed = isUndecided(state) || state === 'approved' || state === 'failed';
  return {
    id,
    reference,
    kind,
    state,
    amount: formatMoney(amount_cents, currency, language),
    askedOn: formatShortDay(askedOn, language),
    ...(isOwed && { due: formatShortDay(due, language) }),
    isOverdue: isOwed && due < today(),
  };
}

/** A withdrawal that staff must see to: no order was found, or it came too late. */
export interface WithdrawalItem {
  id: string;
  outcome: 'unmatched' | 'late';
  name: string;
  reference: string;
  email: string;
  received: string;
  /** When it takes effect, if its owner does not answer before. */
  effective?: string;
}

/** The same for a withdrawal. */
export function withdrawalItem(row: WithdrawalRow, language: Language): WithdrawalItem {
  const { name, reference, email, receivedAt } = receiptOf(row);
  const at = (instant: Date) => formatShortInstant(instant, language, siteSettings().timeZone);
  const outcome = row.outcome === 'late' ? 'late' : 'unmatched';
  const { id, effective_at } = row;
  const effective = effective_at === null ? {} : { effective: at(new Date(effective_at)) };
  return { id, outcome, name, reference, email, received: at(receivedAt), ...effective };
}
