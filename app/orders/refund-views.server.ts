import { compareAsc } from 'date-fns';
import { leftBeside } from '~/orders/refund-desk.server';
import { textOf } from '~/orders/refund-moves.server';
import { receiptOf } from '~/orders/withdrawals.server';
import { findApplication } from '~db/queries/applications.server';
import { listEventsAbout } from '~db/queries/audit-events.server';
import { findOrder, type OrderRow } from '~db/queries/orders.server';
import {
  findRefund,
  type ListedRefund,
  listRefundsOf,
  type RefundRow,
} from '~db/queries/refunds.server';
import type { WithdrawalRow } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import { dayOf, today } from '../clock.server';
import { refundDueDay } from '../domain/order/deadlines';
import {
  type DeskEvent,
  deskEvents,
  isUndecided,
  refundedSoFar,
} from '../domain/order/refund-rules';
import type { RefundKind, RefundState } from '../domain/order/states';
import { typedAmount } from '../domain/order/typed-amount';
import type { StaffRole } from '../domain/staff';
import { formatMoney, formatShortDay, formatShortInstant } from '../i18n/format.server';
import type { Language } from '../i18n/languages';
import { siteSettings } from '../settings/settings.server';

interface PastStep {
  id: string;
  at: string;
  /** A code: what happened. */
  event: string;
  who: { kind: string; email: string | null };
  amount?: string;
  /** Approved by who had proposed it, as the setting lets them. */
  isAlone: boolean;
}

export interface CaseView {
  item: RefundItem;
  version: number;
  events: DeskEvent[];
  /** In a field, as it is proposed; and what could be given back at most. */
  amount: string;
  most: string;
  /** The traveller's reason, and what staff answered. */
  reason?: string;
  answer?: string;
  failure?: string;
  creditNote?: string;
  /** Why it waits for somebody else, or for a bank. */
  waits?: 'own' | 'disputed';
  facts: {
    package: string;
    price: string;
    refunded: string;
    paidOn: string;
    invoice?: string;
    /** The state of the application; none once it is gone. */
    application?: string;
  };
  history: PastStep[];
}

/** The refund and its order, for somebody of the staff; undefined for an unknown one. */
export async function caseView(
  db: Database,
  id: string,
  { staff, language }: { staff: { id: string; role: StaffRole }; language: Language },
): Promise<CaseView | undefined> {
  const refund = await findRefund(db, id);
  const order = refund && (await findOrder(db, refund.order_id));
  if (!refund || !order) return undefined;
  const { fourEyes } = siteSettings();
  const isProposer = refund.proposed_by === staff.id;
  const events = deskEvents({
    state: refund.state,
    order: order.state,
    role: staff.role,
    isProposer,
    fourEyes,
  });
  const money = (cents: number) => formatMoney(cents, order.currency, language);
  const isOwn = refund.state === 'proposed' && isProposer && fourEyes;
  const waits = order.state === 'disputed' ? 'disputed' : isOwn ? 'own' : undefined;
  const [reason, answer] = [textOf(refund, 'reason_sealed'), textOf(refund, 'answer_sealed')];
  return {
    item: refundItem({ ...refund, reference: order.reference, currency: order.currency }, language),
    version: refund.version,
    events,
    amount: typedAmount(refund.amount_cents, language === 'en' ? '.' : ','),
    most: money(await leftBeside(db, order, refund)),
    ...(reason !== undefined && { reason }),
    ...(answer !== undefined && { answer }),
    ...(refund.failure_code !== null && { failure: refund.failure_code }),
    ...(refund.credit_note_number !== null && { creditNote: refund.credit_note_number }),
    ...(waits && { waits }),
    facts: await factsOf(db, order, money, language),
    history: await historyOf(db, refund, money, language),
  };
}

async function factsOf(
  db: Database,
  order: OrderRow,
  money: (cents: number) => string,
  language: Language,
): Promise<CaseView['facts']> {
  const application = await findApplication(db, order.application_id);
  const paidOn = dayOf(new Date(order.paid_at ?? order.created_at));
  return {
    package: order.package,
    price: money(order.amount_cents),
    refunded: money(refundedSoFar(await listRefundsOf(db, order.id))),
    paidOn: formatShortDay(paidOn, language),
    ...(order.invoice_number !== null && { invoice: order.invoice_number }),
    ...(application && { application: application.state }),
  };
}

/** What happens at one instant happens in this order; all else before it. */
const LAST_STEPS = ['approve', 'send', 'settle'];
const rankOf = ({ event }: Record<string, unknown>) => LAST_STEPS.indexOf(String(event));

async function historyOf(
  db: Database,
  { id }: RefundRow,
  money: (cents: number) => string,
  language: Language,
): Promise<PastStep[]> {
  const { timeZone } = siteSettings();
  const events = await listEventsAbout(db, { type: 'refund', id });
  const told = events
    .filter(({ action }) => action !== 'refund.viewed')
    .map(({ details, ...row }) => ({ row, said: JSON.parse(details) as Record<string, unknown> }));
  told.sort((a, b) => compareAsc(a.row.at, b.row.at) || rankOf(a.said) - rankOf(b.said));
  return told.map(({ row, said: { event, cents, fourEyes } }) => ({
    id: row.id,
    at: formatShortInstant(new Date(row.at), language, timeZone),
    event: row.action === 'refund.opened' ? 'open' : String(event),
    who: { kind: row.actor_kind, email: row.actorEmail },
    ...(typeof cents === 'number' && { amount: money(cents) }),
    isAlone: fourEyes === false,
  }));
}

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

export function withdrawalItem(row: WithdrawalRow, language: Language): WithdrawalItem {
  const { name, reference, email, receivedAt } = receiptOf(row);
  const at = (instant: Date) => formatShortInstant(instant, language, siteSettings().timeZone);
  const outcome = row.outcome === 'late' ? 'late' : 'unmatched';
  const { id, effective_at } = row;
  const effective = effective_at === null ? {} : { effective: at(new Date(effective_at)) };
  return { id, outcome, name, reference, email, received: at(receivedAt), ...effective };
}
