import { redirect } from '@remix-run/node';
import { compareAsc } from 'date-fns';

import { dayOf, now, today } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { refundDueDay } from '~/domain/order/deadlines';
import {
  amountProblem,
  type DeskEvent,
  deskEvents,
  deskProblem,
  isUndecided,
  leftToRefund,
  PROPOSAL_FORM,
  readAmount,
  refundedSoFar,
  type RefundProblem,
  REFUSAL_FORM,
  typedAmount,
} from '~/domain/order/refund-rules';
import type { StaffRole } from '~/domain/staff';
import { readForm, refuse } from '~/http/form.server';
import { formatMoney, formatShortDay, formatShortInstant } from '~/i18n/server.server';
import type { Language } from '~/i18n/languages';
import { errorFields, log } from '~/log.server';
import { wakeOutbox } from '~/mail/outbox.server';
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
import { sendRefund } from './refund-events.server';
import { moveRefund, sealText, tellBuyer, textOf } from './refunds.server';
import { receiptOf } from './withdrawals.server';

type Decision = { id: string; version: number; staff: { id: string; role: StaffRole } };

export type Decided =
  | { refund: RefundRow; refused?: undefined }
  | { refused: RefundProblem | 'changed' | 'gone'; refund?: undefined };

/** Another amount is a new proposal. */
export async function proposeRefund(
  db: Database,
  decision: Decision & { amount: number; reason: string },
  now: Date,
): Promise<Decided> {
  const { amount, reason, staff } = decision;
  const set = {
    amount_cents: amount,
    answer_sealed: sealText(decision.id, 'answer_sealed', reason),
    proposed_by: staff.id,
    proposed_at: now.toISOString(),
  };
  return decide(db, 'propose', { ...decision, set }, now);
}

export async function approveRefund(db: Database, decision: Decision, now: Date): Promise<Decided> {
  const set = { approved_by: decision.staff.id, approved_at: now.toISOString() };
  return decide(db, 'approve', { ...decision, set }, now);
}

export async function refuseRefund(
  db: Database,
  decision: Decision & { reason: string },
  now: Date,
): Promise<Decided> {
  const set = { answer_sealed: sealText(decision.id, 'answer_sealed', decision.reason) };
  return decide(db, 'refuse', { ...decision, set }, now);
}

export async function retryRefund(db: Database, decision: Decision, now: Date): Promise<Decided> {
  return decide(db, 'retry', decision, now);
}

interface Change extends Decision {
  amount?: number;
  reason?: string;
  set?: Partial<RefundRow>;
}

/** In the transaction that holds the order: what is left stays as it was read. */
async function decide(
  db: Database,
  event: DeskEvent,
  { id, version, staff, amount, reason = '', set = {} }: Change,
  now: Date,
): Promise<Decided> {
  const found = await findRefund(db, id);
  const order = found && (await lockOrder(db, found.order_id));
  const refund = order && (await findRefund(db, id));
  if (!refund) return { refused: 'gone' };
  if (refund.version !== version) return { refused: 'changed' };
  const isProposer = refund.proposed_by === staff.id;
  const { fourEyes } = siteSettings();
  const refused =
    deskProblem(event, {
      state: refund.state,
      order: order.state,
      role: staff.role,
      isProposer,
      fourEyes,
    }) ??
    amountProblem(event, {
      amount: amount ?? refund.amount_cents,
      left: await leftBeside(db, order, refund),
      reason,
    });
  if (refused) return { refused };
  const moved = await moveRefund(
    db,
    refund,
    event,
    {
      actor: { kind: 'staff', id: staff.id },
      set: { ...set, ...(event === 'retry' && { attempt: refund.attempt + 1 }) },
      // Money moved by one person: the setting lets them, and the audit says so.
      details: event === 'approve' && isProposer ? { fourEyes: false } : {},
    },
    now,
  );
  if (!moved) return { refused: 'changed' };
  if (event === 'refuse') {
    const parameters = { answer: reason };
    await tellBuyer(
      db,
      order,
      { kind: 'refundRefused', cents: moved.amount_cents, parameters },
      now,
    );
  }
  return { refund: moved };
}

export async function leftBeside(db: Database, order: OrderRow, { id }: Pick<RefundRow, 'id'>) {
  const refunds = await listRefundsOf(db, order.id);
  return leftToRefund(
    order.amount_cents,
    refunds.filter((refund) => refund.id !== id),
  );
}

type Sent = { id: string; sent: FormData; staff: { id: string; role: StaffRole } };

/** What is approved is sent at once, or by the hourly job. @throws {Response} 400, 403, 404 */
export async function takeDecision(event: DeskEvent, { id, sent, staff }: Sent) {
  const version = sent.get('version');
  if (typeof version !== 'string' || !/^\d{1,9}$/.test(version)) {
    throw new Response(null, { status: 400 });
  }
  const read = readForm(sent, event === 'refuse' ? REFUSAL_FORM : PROPOSAL_FORM);
  const typed = { ...read.typed, intent: event };
  const isForm = event === 'propose' || event === 'refuse';
  if (isForm && read.errors) return refuse('invalid', { typed, errors: read.errors });
  const values = read.values as { amount?: string; reason?: string } | undefined;
  const amount = readAmount(values?.amount ?? '');
  if (event === 'propose' && amount === undefined) {
    return refuse('invalid', { typed, errors: { amount: 'amount' } });
  }
  const decision = { id, version: Number(version), staff };
  const reason = values?.reason ?? '';
  const decided = await requireDatabase((db) => {
    const at = now();
    if (event === 'propose')
      return proposeRefund(db, { ...decision, amount: amount ?? 0, reason }, at);
    if (event === 'refuse') return refuseRefund(db, { ...decision, reason }, at);
    return event === 'approve' ? approveRefund(db, decision, at) : retryRefund(db, decision, at);
  }, writeDatabase);
  if (decided.refused) return refused(decided.refused, typed);
  wakeOutbox();
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
    wakeOutbox();
  } catch (error) {
    log('warn', 'a refund waits for the hourly job', errorFields(error));
  }
}

export type CaseView = NonNullable<Awaited<ReturnType<typeof caseView>>>;

export async function caseView(
  db: Database,
  id: string,
  { staff, language }: { staff: { id: string; role: StaffRole }; language: Language },
) {
  const refund = await findRefund(db, id);
  const order = refund && (await findOrder(db, refund.order_id));
  if (!refund || !order) return undefined;
  const { fourEyes } = siteSettings();
  const isProposer = refund.proposed_by === staff.id;
  const money = (cents: number) => formatMoney(cents, order.currency, language);
  const isOwn = refund.state === 'proposed' && isProposer && fourEyes;
  const waits = order.state === 'disputed' ? ('disputed' as const) : isOwn && ('own' as const);
  const application = await findApplication(db, order.application_id);
  return {
    item: refundItem({ ...refund, reference: order.reference, currency: order.currency }, language),
    version: refund.version,
    events: deskEvents({
      state: refund.state,
      order: order.state,
      role: staff.role,
      isProposer,
      fourEyes,
    }),
    amount: typedAmount(refund.amount_cents, language === 'en' ? '.' : ','),
    most: money(await leftBeside(db, order, refund)),
    reason: textOf(refund, 'reason_sealed') ?? null,
    answer: textOf(refund, 'answer_sealed') ?? null,
    failure: refund.failure_code,
    waits,
    package: order.package,
    price: money(order.amount_cents),
    refunded: money(refundedSoFar(await listRefundsOf(db, order.id))),
    paidOn: formatShortDay(dayOf(new Date(order.paid_at ?? order.created_at)), language),
    invoice: order.invoice_number,
    creditNote: refund.credit_note_number,
    application: application?.state ?? null,
    history: await historyOf(db, refund, money, language),
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
) {
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
    /** Approved by who had proposed it, as the setting lets them. */
    isAlone: fourEyes === false,
  }));
}

export type RefundItem = ReturnType<typeof refundItem>;

export function refundItem(refund: ListedRefund, language: Language) {
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

export type WithdrawalItem = ReturnType<typeof withdrawalItem>;

export function withdrawalItem(row: WithdrawalRow, language: Language) {
  const { name, reference, email, receivedAt } = receiptOf(row);
  const at = (instant: Date) => formatShortInstant(instant, language, siteSettings().timeZone);
  const { id, effective_at } = row;
  return {
    id,
    outcome: row.outcome === 'late' ? ('late' as const) : ('unmatched' as const),
    name,
    reference,
    email,
    received: at(receivedAt),
    effective: effective_at === null ? '' : at(new Date(effective_at)),
  };
}
