import { randomUUID } from 'node:crypto';

import type { Updateable } from 'kysely';

import { type AuditEvent, recordEvent } from '~/accounts/audit.server';
import { refundedSoFar, refundEvent } from '~/domain/order/refund-rules';
import { type RefundEvent, refundMove } from '~/domain/order/states';
import { formatMoney } from '~/i18n/format.server';
import { mailLanguage } from '~/mail/language';
import { type MailKind, queueMail } from '~/mail/outbox.server';
import { seal, unseal } from '~/sealing/seal.server';
import type { Database, Schema } from '~db/schema';
import type { OrderRow } from '~db/queries/orders.server';
import { insertRefund, listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import { moveOrder } from './moves.server';
import { buyerOfOrder } from './sealed-buyer.server';
import { moveRow } from '~db/queries/versioned-rows.server';

export const SYSTEM = { kind: 'system' } as const;

const placeIn = (id: string, field: 'reason_sealed' | 'answer_sealed') => ({
  table: 'refunds',
  row: id,
  field,
});

/** A text about a refund, sealed for its column; null for none. */
export function sealText(
  id: string,
  field: 'reason_sealed' | 'answer_sealed',
  text: string | undefined,
): string | null {
  return text ? seal(text, placeIn(id, field)) : null;
}

/** The same, opened: the traveller's reason, or what staff answered. */
export function textOf(
  refund: RefundRow,
  field: 'reason_sealed' | 'answer_sealed',
): string | undefined {
  const sealed = refund[field];
  return sealed === null ? undefined : unseal(sealed, placeIn(refund.id, field));
}

type NewRefund = Pick<RefundRow, 'kind' | 'state' | 'amount_cents'> &
  Partial<RefundRow> & { reason?: string | undefined };

/** Adds a refund to an order whose row the transaction `db` holds, and an audit event. */
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
  await recordEvent(
    db,
    {
      action: 'refund.opened',
      actor: SYSTEM,
      subject: { type: 'refund', id },
      details: { kind: row.kind, state: row.state, cents: row.amount_cents },
    },
    now,
  );
  return row;
}

interface RefundMove {
  actor: AuditEvent['actor'];
  set?: Omit<Updateable<Schema['refunds']>, 'id' | 'state' | 'version'>;
  details?: AuditEvent['details'];
}

/**
 * Moves a refund by the table of states, in the transaction `db`: compare-and-set on what was read, and
 * an audit event `refund.moved` with codes and amounts only.
 *
 * @returns the refund as it is now; undefined if its state does not know the event, or it has changed
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
  await recordEvent(
    db,
    {
      action: 'refund.moved',
      actor,
      subject: { type: 'refund', id: row.id },
      details: { event, from: row.state, to, cents: moved.amount_cents, ...details },
    },
    now,
  );
  return moved;
}

/** Brings an order that is held to the state that its refunds make it. */
export async function moveAfterRefund(db: Database, order: OrderRow, now: Date): Promise<void> {
  const refunded = refundedSoFar(await listRefundsOf(db, order.id));
  const event = refundEvent({ paid: order.amount_cents, refunded });
  // A disputed order stays what it is, and one that was refunded before.
  await moveOrder(db, order, event, { refunded }, now);
}

/** Queues a mail to who bought, in the language of the order; `wakeOutbox()` after the transaction. */
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
