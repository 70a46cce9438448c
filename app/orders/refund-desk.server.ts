import { redirect } from '@remix-run/node';
import { compareAsc } from 'date-fns';

import { dayOf, now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import type { RefundState } from '~/domain/order/states';
import { refundDueDay } from '~/domain/order/deadlines';
import {
  amountProblem,
  type DeskEvent,
  deskEvents,
  deskProblem,
  isUndecided,
  leftToRefund,
  NEXT_STEPS,
  PROPOSAL_FORM,
  readAmount,
  refundedSoFar,
  type RefundProblem,
  REFUSAL_FORM,
  typedAmount,
} from '~/domain/order/refund-rules';
import { may, type StaffRole } from '~/access';
import { askFirst, readForm, refuse, requireVersion } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { formatMoney, formatShortDay, shortInstants } from '~/i18n/locale.server';
import { errorFields, log } from '~/log.server';
import { siteSettings } from '~/settings/settings.server';
import { findApplication } from '~db/queries/applications.server';
import { listEventsAbout } from '~db/queries/audit-events.server';
import { findOrder, lockOrder, type OrderRow } from '~db/queries/orders.server';
import {
  findRefund,
  type ListedRefund,
  listRefundsOf,
  type RefundRow,
} from '~db/queries/refunds.server';
import type { WithdrawalRow } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import { buyerOfOrder, currentInvoice } from './invoices.server';
import { moveRefund, sealText, sendRefund, tellBuyer, textOf } from './refunds.server';
import { receiptOf } from './withdrawals.server';

type Staff = { id: string; role: StaffRole };

interface Decision {
  id: string;
  version: number;
  staff: Staff;
  amount?: number | undefined;
  reason?: string;
}

type Decided =
  | { refund: RefundRow; refused?: undefined }
  | { refused: RefundProblem | 'changed' | 'gone'; refund?: undefined };

const refundCase = (
  { state, proposed_by }: RefundRow,
  order: Pick<OrderRow, 'state'>,
  { id, role }: Staff,
) => {
  const { fourEyes } = siteSettings();
  return { state, order: order.state, role, isProposer: proposed_by === id, fourEyes };
};

/** In the transaction that holds the order: what is left stays as it was read. */
export async function decideRefund(
  db: Database,
  event: DeskEvent,
  { id, version, staff, amount, reason = '' }: Decision,
  now: Date,
): Promise<Decided> {
  const found = await findRefund(db, id);
  const order = found && (await lockOrder(db, found.order_id));
  const refund = order && (await findRefund(db, id));
  if (!refund) return { refused: 'gone' };
  if (refund.version !== version) return { refused: 'changed' };
  const asked = refundCase(refund, order, staff);
  const { amount_cents } = refund;
  const left = await leftBeside(db, order, refund);
  const refused =
    deskProblem(event, asked) ??
    amountProblem(event, { amount: amount ?? amount_cents, left, reason });
  if (refused) return { refused };
  const at = now.toISOString();
  const answer_sealed = sealText(id, 'answer_sealed', reason);
  // Another amount is a new proposal.
  const set: Record<DeskEvent, Partial<RefundRow>> = {
    propose: {
      amount_cents: amount ?? amount_cents,
      answer_sealed,
      proposed_by: staff.id,
      proposed_at: at,
    },
    approve: { approved_by: staff.id, approved_at: at },
    refuse: { answer_sealed },
    retry: { attempt: refund.attempt + 1 },
  };
  const actor = { kind: 'staff', id: staff.id } as const;
  // Money moved by one person: the setting lets them, and the audit says so.
  const details = event === 'approve' && asked.isProposer ? { fourEyes: false } : {};
  const moved = await moveRefund(db, refund, event, { actor, set: set[event], details }, now);
  if (!moved) return { refused: 'changed' };
  if (event === 'refuse') {
    const parameters = { answer: reason };
    const mail = { kind: 'refundRefused', cents: moved.amount_cents, parameters } as const;
    await tellBuyer(db, order, mail, now);
  }
  return { refund: moved };
}

async function leftBeside(db: Database, order: OrderRow, { id }: Pick<RefundRow, 'id'>) {
  const others = (await listRefundsOf(db, order.id)).filter((refund) => refund.id !== id);
  return leftToRefund(order.amount_cents, others);
}

type Sent = { id: string; sent: FormData; staff: Staff };

/** What is approved is sent at once, or by the hourly job. @throws {Response} 400, 403, 404 */
export async function takeDecision(event: DeskEvent, { id, sent, staff }: Sent) {
  const version = requireVersion(sent);
  const read = readForm(sent, event === 'refuse' ? REFUSAL_FORM : PROPOSAL_FORM);
  const typed = { ...read.typed, intent: event };
  const isForm = event === 'propose' || event === 'refuse';
  if (isForm && read.errors) return refuse('invalid', { typed, errors: read.errors });
  const values = read.values as { amount?: string; reason?: string } | undefined;
  const amount = event === 'propose' ? readAmount(values?.amount ?? '') : undefined;
  if (event === 'propose' && amount === undefined) {
    return refuse('invalid', { typed, errors: { amount: 'amount' } });
  }
  const asked = event === 'approve' && askFirst(sent, typed);
  const isThere = await requireDatabase((db) => findRefund(db, id));
  if (asked && isThere) return asked;
  const decision = { id, version, staff, amount, reason: values?.reason ?? '' };
  const decided = await requireWrite((db) => decideRefund(db, event, decision, now()));
  if (decided.refused) return refused(decided.refused, typed);
  if (event === 'approve' || event === 'retry') await trySending(id);
  return redirect(`/crm/refunds/${id}?done=${event}`, 303);
}

function refused(problem: NonNullable<Decided['refused']>, typed: Record<string, string>) {
  if (problem === 'gone') throw new Response(null, { status: 404 });
  if (problem === 'role') throw new Response(null, { status: 403 });
  // Somebody else was faster, in another tab or at another desk.
  if (problem === 'changed' || problem === 'state') {
    return refuse('changed', { typed }, { status: 409 });
  }
  if (problem === 'own' || problem === 'disputed') return refuse(problem, { typed });
  const field = problem === 'reason' ? 'reason' : 'amount';
  return refuse('invalid', { typed, errors: { [field]: problem } });
}

async function trySending(id: string): Promise<void> {
  try {
    await sendRefund(id, now());
  } catch (error) {
    log('warn', 'a refund waits for the hourly job', errorFields(error));
  }
}

export type RefundView = NonNullable<Awaited<ReturnType<typeof refundView>>>;

export async function refundView(db: Database, id: string, staff: Staff, language: Language) {
  const refund = await findRefund(db, id);
  const order = refund && (await findOrder(db, refund.order_id));
  if (!refund || !order) return undefined;
  const asked = refundCase(refund, order, staff);
  const money = (cents: number) => formatMoney(cents, order.currency, language);
  const step = nextStepOf(refund.state);
  const problem = order.state === 'disputed' ? 'disputed' : step && deskProblem(step, asked);
  const waits = problem === 'role' ? 'waits.role' : ((problem as 'own' | 'disputed') ?? null);
  const application = await findApplication(db, order.application_id);
  return {
    item: refundItem({ ...order, ...refund }, language),
    version: refund.version,
    events: deskEvents(asked),
    amount: typedAmount(refund.amount_cents, language === 'en' ? '.' : ','),
    most: money(await leftBeside(db, order, refund)),
    reason: textOf(refund, 'reason_sealed') ?? null,
    answer: textOf(refund, 'answer_sealed') ?? null,
    waits,
    package: order.package,
    price: money(order.amount_cents),
    refunded: money(refundedSoFar(await listRefundsOf(db, order.id))),
    paidOn: formatShortDay(dayOf(new Date(order.paid_at ?? order.created_at)), language),
    invoice: (await currentInvoice(db, order))?.number ?? null,
    creditNote: refund.credit_note_number,
    application: application?.state ?? null,
    /** Whether they may read the customer's conversation, if they say why. */
    write: may(staff.role, 'case.view', {
      isAssigned: application?.assigned_to === staff.id,
      gaveReason: true,
    }),
    history: await historyOf(db, refund, money, language),
  };
}

/** What happens at one instant happens in this order; all else before it. */
const LAST_STEPS = ['propose', 'refuse', 'approve', 'retry', 'send', 'settle', 'fail'];
const rankOf = ({ event }: Record<string, unknown>) => LAST_STEPS.indexOf(String(event));

async function historyOf(
  db: Database,
  { id }: RefundRow,
  money: (cents: number) => string,
  language: Language,
) {
  const timeOf = shortInstants(language);
  const told = (await listEventsAbout(db, { type: 'refund', id }))
    .filter(({ action }) => action !== 'refund.viewed')
    .map(({ details, ...row }) => ({ row, said: JSON.parse(details) as Record<string, unknown> }));
  told.sort((a, b) => compareAsc(a.row.at, b.row.at) || rankOf(a.said) - rankOf(b.said));
  return told.map(({ row, said: { event, cents, fourEyes } }) => ({
    id: row.id,
    at: timeOf(row.at),
    event: row.action === 'refund.opened' ? 'open' : String(event),
    who: { kind: row.actor_kind, name: row.actorName },
    ...(typeof cents === 'number' && { amount: money(cents) }),
    isAlone: fourEyes === false,
  }));
}

export function refundItem(refund: Omit<ListedRefund, 'order_state'>, language: Language) {
  const { id, reference, kind, state, amount_cents, currency, created_at } = refund;
  const { buyer_sealed, order_id, application_id } = refund;
  const { paidToDays } = siteSettings().guarantee;
  const askedOn = dayOf(new Date(created_at));
  const due = refundDueDay(kind, askedOn, paidToDays);
  const isOwed = isUndecided(state) || state === 'approved' || state === 'failed';
  return {
    id,
    reference,
    name: buyerOfOrder({ id: order_id, buyer_sealed }).name,
    case: `/crm/processing/${application_id}`,
    kind,
    state,
    amount: formatMoney(amount_cents, currency, language),
    askedOn: formatShortDay(askedOn, language),
    ...(isOwed && { due: formatShortDay(due, language), dueDay: due }),
    failure: state === 'failed' ? refund.failure_code : null,
  };
}

const nextStepOf = (state: RefundState) =>
  state in NEXT_STEPS ? NEXT_STEPS[state as keyof typeof NEXT_STEPS] : undefined;

/** Of a list: what comes next, and why who looks may not do it. */
export function listedItem(refund: ListedRefund, staff: Staff, language: Language) {
  const asked = refundCase(refund, { state: refund.order_state }, staff);
  const step = nextStepOf(refund.state);
  const next = step ? { step, problem: deskProblem(step, asked) ?? null } : null;
  return { ...refundItem(refund, language), next };
}
export type ListedItem = ReturnType<typeof listedItem>;
export type WithdrawalItem = ReturnType<typeof withdrawalItem>;

export function withdrawalItem(row: WithdrawalRow, language: Language) {
  const { name, reference, email } = receiptOf(row);
  const at = shortInstants(language);
  const { id, effective_at } = row;
  return {
    id,
    outcome: row.outcome === 'late' ? ('late' as const) : ('unmatched' as const),
    name,
    reference,
    email,
    received: at(row.received_at),
    effective: effective_at === null ? '' : at(effective_at),
  };
}
