import type { Updateable } from 'kysely';
import { randomUUID } from 'node:crypto';

import { type AuditActor, type AuditDetails, audit } from '~/accounts/audit.server';
import { moveApplication } from '~/applications/moves.server';
import { dayOf } from '~/clock.server';
import { eventsFrom } from '~/domain/application/states';
import { refundDueDay } from '~/domain/order/deadlines';
import { leftToRefund, refundedSoFar, refundEvent } from '~/domain/order/refund-rules';
import {
  type RefundEvent,
  type RefundKind,
  refundMove,
  type RefundState,
} from '~/domain/order/states';
import { formatDay, formatMoney } from '~/i18n/server.server';
import { mailLanguage } from '~/mail/language';
import { type MailKind, queueMail } from '~/mail/outbox.server';
import { seal, unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { findApplication, lockApplication } from '~db/queries/applications.server';
import { findOrder, lockOrder, type OrderRow } from '~db/queries/orders.server';
import { insertRefund, listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import { moveRow } from '~db/queries/versioned-rows.server';
import type { Database, Schema } from '~db/schema';
import { buyerOfOrder, moveOrder } from './order.server';

const OPEN: readonly RefundState[] = ['requested', 'proposed', 'approved'];

/** One that is open stays. A late payment needs nobody's approval: it was never ours. */
export async function openRefund(
  db: Database,
  { id: orderId }: OrderRow,
  { kind, reason }: { kind: RefundKind; reason?: string | undefined },
  now: Date,
): Promise<RefundRow | undefined> {
  const order = await lockOrder(db, orderId);
  if (order?.paid_at == null) return undefined;
  const refunds = await listRefundsOf(db, orderId);
  const open = refunds.find(({ state }) => OPEN.includes(state));
  if (open) return open;
  const left = leftToRefund(order.amount_cents, refunds);
  if (left === 0) return undefined;
  const isLate = kind === 'late_payment';
  const refund = await addRefund(
    db,
    order,
    {
      kind,
      state: isLate ? 'approved' : 'requested',
      amount_cents: left,
      reason,
      ...(isLate && { approved_at: now.toISOString() }),
    },
    now,
  );
  if (isLate) await tellBuyer(db, order, { kind: 'latePayment', cents: left }, now);
  return refund;
}

export const SYSTEM = { kind: 'system' } as const;

const placeIn = (id: string, field: 'reason_sealed' | 'answer_sealed') => ({
  table: 'refunds',
  row: id,
  field,
});

export function sealText(
  id: string,
  field: 'reason_sealed' | 'answer_sealed',
  text: string | undefined,
): string | null {
  return text ? seal(text, placeIn(id, field)) : null;
}

export function textOf(refund: RefundRow, field: 'reason_sealed' | 'answer_sealed') {
  const sealed = refund[field];
  return sealed === null ? undefined : unseal(sealed, placeIn(refund.id, field));
}

type NewRefund = Pick<RefundRow, 'kind' | 'state' | 'amount_cents'> &
  Partial<RefundRow> & { reason?: string | undefined };

export async function addRefund(
  db: Database,
  order: OrderRow,
  { reason, ...refund }: NewRefund,
  now: Date,
): Promise<RefundRow> {
  const id = randomUUID();
  const row: RefundRow = {
    id,
    order_id: order.id,
    reason_sealed: sealText(id, 'reason_sealed', reason),
    answer_sealed: null,
    proposed_by: null,
    approved_by: null,
    provider_refund_id: null,
    attempt: 1,
    failure_code: null,
    credit_note_number: null,
    version: 1,
    created_at: now.toISOString(),
    proposed_at: null,
    approved_at: null,
    sent_at: null,
    settled_at: null,
    ...refund,
  };
  await insertRefund(db, row);
  await audit(db, SYSTEM, 'refund.opened', ['refund', id], now, {
    kind: row.kind,
    state: row.state,
    cents: row.amount_cents,
  });
  return row;
}

interface RefundMove {
  actor: AuditActor;
  set?: Omit<Updateable<Schema['refunds']>, 'id' | 'state' | 'version'>;
  details?: AuditDetails;
}

/**
 * Moves a refund by the table of states, in the transaction `db`: compare-and-set on what was read, and
 * an audit event with codes and amounts only.
 *
 * @returns undefined if its state does not know the event, or it has changed
 */
export async function moveRefund(
  db: Database,
  row: RefundRow,
  event: RefundEvent,
  { actor, set = {}, details = {} }: RefundMove,
  now: Date,
): Promise<RefundRow | undefined> {
  const to = refundMove(row.state, event);
  if (to === undefined || !(await moveRow(db, 'refunds', row, { ...set, state: to }))) {
    return undefined;
  }
  const moved = { ...row, ...set, state: to, version: row.version + 1 } as RefundRow;
  await audit(db, actor, 'refund.moved', ['refund', row.id], now, {
    event,
    from: row.state,
    to,
    cents: moved.amount_cents,
    ...details,
  });
  return moved;
}

export async function moveAfterRefund(db: Database, order: OrderRow, now: Date): Promise<void> {
  const refunded = refundedSoFar(await listRefundsOf(db, order.id));
  const event = refundEvent({ paid: order.amount_cents, refunded });
  // A disputed order stays what it is, and one that was refunded before.
  await moveOrder(db, order, event, { refunded }, now);
}

/** `wakeOutbox()` after the transaction. */
export async function tellBuyer(
  db: Database,
  order: OrderRow,
  message: { kind: MailKind; cents: number; parameters?: Record<string, string> },
  now: Date,
): Promise<void> {
  const language = mailLanguage(order);
  const { kind, cents, parameters } = message;
  const said = {
    reference: order.reference,
    amount: formatMoney(cents, order.currency, language),
    ...parameters,
  };
  const to = buyerOfOrder(order).email;
  const applicationId = order.application_id;
  await queueMail(db, { kind, to, language, applicationId, parameters: said }, now);
}

interface Asked {
  kind: Extract<RefundKind, 'withdrawal' | 'guarantee' | 'cancellation'>;
  reason?: string | undefined;
}

/** The application first, as everywhere: two that wait for each other would wait for ever. */
export async function holdContract(db: Database, orderId: string): Promise<OrderRow | undefined> {
  const order = await findOrder(db, orderId);
  if (!order) return undefined;
  await lockApplication(db, order.application_id);
  return lockOrder(db, orderId);
}

/** Cancels what is not filed, opens a refund, tells who bought. The caller holds the contract. */
export async function cancelOrder(
  db: Database,
  order: OrderRow,
  { actor, ...asked }: Asked & { actor: AuditActor },
  now: Date,
): Promise<RefundRow | undefined> {
  await cancelBeforeFiling(db, order.application_id, actor, now);
  return askForRefund(db, order, asked, now);
}

/** `wakeOutbox()` after it. @returns also one that was open before; undefined: nothing is left */
export async function askForRefund(db: Database, order: OrderRow, asked: Asked, now: Date) {
  const opened = await openRefund(db, order, asked, now);
  // Of one that was open before, the mail has gone.
  if (opened?.created_at !== now.toISOString()) return opened;
  const language = mailLanguage(order);
  const { paidToDays } = siteSettings().guarantee;
  const due = refundDueDay(opened.kind, dayOf(now), paidToDays);
  const message = {
    kind: opened.kind === 'withdrawal' ? 'refundAfterWithdrawal' : 'refundRequested',
    cents: opened.amount_cents,
    parameters: { day: formatDay(due, language) },
  } as const;
  await tellBuyer(db, order, message, now);
  return opened;
}

async function cancelBeforeFiling(db: Database, id: string, actor: AuditActor, now: Date) {
  const row = await findApplication(db, id);
  if (!row || !eventsFrom(row.state, 'owner').includes('cancel')) return;
  await moveApplication(db, row, 'cancel', { as: 'owner', actor, facts: {} }, now);
}
