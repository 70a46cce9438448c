import { type AuditEvent, recordEvent } from '~/accounts/audit.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { normalizeEmail } from '~/domain/accounts';
import type { WithdrawalAnswer } from '~/domain/order/withdrawal';
import { mailLanguage } from '~/mail/language';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import { markTokenUsed } from '~db/queries/one-time-tokens.server';
import type { OrderRow } from '~db/queries/orders.server';
import {
  findWithdrawal,
  hasWithdrawal,
  listDueWithdrawals,
  listHeldOf,
  updateOpenWithdrawal,
  type WithdrawalRow,
} from '~db/queries/withdrawals.server';
import { askedWithdrawal, askOwner } from './ask-owner.server';
import { giveUp, holdContract } from './give-up.server';
import { SYSTEM } from './refund-moves.server';
import { buyerOfOrder } from './sealed-buyer.server';
import { receiptMail, receiptOf, standingOf } from './withdrawals.server';

type Run = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Does what follows from the withdrawals that were received: for one whose owner has not answered in
 * time, or whose process ended before.
 *
 * @returns how many there were
 */
export async function applyWithdrawals(
  now: Date,
  { read = queryDatabase, write = writeDatabase }: { read?: Run; write?: Run } = {},
): Promise<number> {
  let done = 0;
  for (const { id } of await read((db) => listDueWithdrawals(db, now))) {
    if (await write((db) => applyWithdrawal(db, id, now))) done += 1;
  }
  if (done > 0) wakeOutbox();
  return done;
}

/**
 * Does what follows from one, in the transaction `db`; `wakeOutbox()` after it: the application is
 * cancelled if nothing was filed yet, and a refund opened, by law or by our guarantee. One that is too
 * late for both waits for staff. Where a stranger may have declared it, the contract's own address is
 * asked first.
 *
 * @returns whether something was done
 */
export async function applyWithdrawal(db: Database, id: string, now: Date): Promise<boolean> {
  const found = await findWithdrawal(db, id);
  const order = found?.order_id == null ? undefined : await holdContract(db, found.order_id);
  const row = order && (await findWithdrawal(db, id));
  if (!row || row.handled_at !== null || row.outcome === 'unmatched') return false;
  const isLatter = await hasWithdrawal(db, order.id, { isHandled: true, except: id });
  return isHeld(row, now) && !isLatter
    ? askOwner(db, row, order, now)
    : takeEffect(db, row, order, SYSTEM, now);
}

/** Nothing takes effect that a stranger may have declared before its owner was asked, and had time. */
const isHeld = ({ effective_at, received_at, asked_at }: WithdrawalRow, now: Date) =>
  effective_at !== null &&
  effective_at > received_at &&
  (asked_at === null || effective_at > now.toISOString());

/**
 * Takes the answer of who owns the contract, in the transaction `db`; `wakeOutbox()` after it. Of two
 * answers, or one at the moment at which the time for it ends, the first counts. After a no they are
 * asked about the next: that one may be their own.
 *
 * @returns false if there is nothing to answer any more
 */
export async function answerWithdrawal(
  db: Database,
  token: string,
  answer: WithdrawalAnswer,
  now: Date,
): Promise<boolean> {
  const asked = await askedWithdrawal(db, token, now);
  const order = asked && (await holdContract(db, asked.orderId));
  const row = order && (await findWithdrawal(db, asked.row.id));
  if (!row || row.handled_at !== null) return false;
  await markTokenUsed(db, hashOfToken(token), now);
  const at = now.toISOString();
  if (answer === 'yes') {
    await updateOpenWithdrawal(db, row.id, { answer, effective_at: at });
    return takeEffect(db, row, order, { kind: 'anybody' }, now);
  }
  await updateOpenWithdrawal(db, row.id, { answer, handled_at: at });
  await noteHandled(db, row.id, { kind: 'anybody' }, 'disowned', now);
  const [next] = await listHeldOf(db, order.id);
  if (next) await applyWithdrawal(db, next.id, now);
  return true;
}

/**
 * Says which order a withdrawal is from that was not matched, and does what follows, in the transaction
 * `db`: it counts from when it was received.
 *
 * @returns false if somebody has seen to it already, or it takes effect by itself
 */
export async function assignWithdrawal(
  db: Database,
  id: string,
  { orderId, staffId }: { orderId: string; staffId: string },
  now: Date,
): Promise<boolean> {
  const order = await holdContract(db, orderId);
  const row = await findWithdrawal(db, id);
  if (!order || !row || !isForStaff(row)) return false;
  const actor = { kind: 'staff', id: staffId } as const;
  const isDone = await takeEffect(db, { ...row, order_id: order.id }, order, actor, now);
  return isDone || closeWithdrawal(db, id, { staffId, orderId: order.id }, now);
}

const isForStaff = ({ handled_at, outcome, effective_at }: WithdrawalRow) =>
  handled_at === null && (outcome === 'unmatched' || (outcome === 'late' && effective_at === null));

/**
 * Notes that somebody of the staff has seen to a withdrawal.
 *
 * @returns false if that was done before, or it takes effect by itself
 */
export async function closeWithdrawal(
  db: Database,
  id: string,
  { staffId, orderId }: { staffId: string; orderId?: string },
  now: Date,
): Promise<boolean> {
  const row = await findWithdrawal(db, id);
  if (!row || !isForStaff(row)) return false;
  const changes = {
    handled_at: now.toISOString(),
    ...(orderId && { order_id: orderId, outcome: 'late' as const }),
  };
  if (!(await updateOpenWithdrawal(db, id, changes))) return false;
  await noteHandled(db, id, { kind: 'staff', id: staffId }, 'seen', now);
  return true;
}

/**
 * Does what follows from a withdrawal, in the transaction `db` that holds its contract.
 *
 * @returns false if it is too late for law and guarantee
 */
export async function takeEffect(
  db: Database,
  row: WithdrawalRow,
  order: OrderRow,
  actor: AuditEvent['actor'],
  now: Date,
): Promise<boolean> {
  const handled = { handled_at: now.toISOString(), order_id: order.id };
  const isLatter = await hasWithdrawal(db, order.id, { isHandled: true, except: row.id });
  if (row.outcome === 'repeated' || isLatter) {
    await updateOpenWithdrawal(db, row.id, { ...handled, outcome: 'repeated' });
    await noteHandled(db, row.id, actor, 'repeated', now);
    return true;
  }
  const standing = standingOf(order, new Date(row.received_at));
  if (standing === 'over') return false;
  const outcome = standing === 'withdrawal' ? 'matched' : 'late';
  await updateOpenWithdrawal(db, row.id, { ...handled, outcome });
  await noteHandled(db, row.id, actor, outcome, now);
  await giveUp(db, order, { kind: standing, actor: { kind: 'anybody' } }, now);
  await tellBuyersOwn(db, row, order, now);
  // What waited for an answer needs none any more.
  for (const { id } of await listHeldOf(db, order.id)) {
    await updateOpenWithdrawal(db, id, { ...handled, outcome: 'repeated' });
    await noteHandled(db, id, SYSTEM, 'repeated', now);
  }
  return true;
}

/** A receipt for who bought, too, if another address was given. */
async function tellBuyersOwn(
  db: Database,
  row: WithdrawalRow,
  order: OrderRow,
  now: Date,
): Promise<void> {
  const receipt = receiptOf(row);
  const { email } = buyerOfOrder(order);
  if (normalizeEmail(email) === normalizeEmail(receipt.email)) return;
  const message = receiptMail({ ...receipt, language: mailLanguage(order) }, true);
  await queueMail(db, { ...message, to: email }, now);
}

/** Remembers how a withdrawal was closed. */
export async function noteHandled(
  db: Database,
  id: string,
  actor: AuditEvent['actor'],
  how: string,
  now: Date,
): Promise<void> {
  const subject = { type: 'withdrawal', id } as const;
  await recordEvent(db, { action: 'withdrawal.handled', actor, subject, details: { how } }, now);
}
