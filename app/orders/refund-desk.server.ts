import type { StaffRole } from '~/domain/staff';
import {
  amountProblem,
  type DeskEvent,
  deskProblem,
  leftToRefund,
  type RefundProblem,
} from '~/domain/order/refund-rules';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/schema';
import { lockOrder, type OrderRow } from '~db/queries/orders.server';
import { findRefund, listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import { moveRefund, sealText, tellBuyer } from './refund-moves.server';

/** A decision of somebody of the staff about a refund, as the page had it. */
interface Decision {
  id: string;
  /** Of the refund, when it was read: who decides by an older page is told so. */
  version: number;
  staff: { id: string; role: StaffRole };
}

/** The refund as it is now; or why it stays as it was. */
export type Decided =
  | { refund: RefundRow; refused?: undefined }
  | { refused: RefundProblem | 'changed' | 'gone'; refund?: undefined };

/** Says how much is to be given back, and why not everything; another amount is a new proposal. */
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

/** Has a proposal sent; `sendRefund` after the transaction. */
export async function approveRefund(db: Database, decision: Decision, now: Date): Promise<Decided> {
  const set = { approved_by: decision.staff.id, approved_at: now.toISOString() };
  return decide(db, 'approve', { ...decision, set }, now);
}

/** Refuses a refund; who asked for it reads why. */
export async function refuseRefund(
  db: Database,
  decision: Decision & { reason: string },
  now: Date,
): Promise<Decided> {
  const set = { answer_sealed: sealText(decision.id, 'answer_sealed', decision.reason) };
  return decide(db, 'refuse', { ...decision, set }, now);
}

/** Has a refund that failed sent anew; `sendRefund` after the transaction. */
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

/** What could be given back of an order if this refund were not there. */
export async function leftBeside(
  db: Database,
  order: OrderRow,
  { id }: Pick<RefundRow, 'id'>,
): Promise<number> {
  const refunds = await listRefundsOf(db, order.id);
  return leftToRefund(
    order.amount_cents,
    refunds.filter((refund) => refund.id !== id),
  );
}
