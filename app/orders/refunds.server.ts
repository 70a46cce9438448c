import { addHours } from 'date-fns';
import type { Updateable } from 'kysely';
import { randomUUID } from 'node:crypto';

import { audit, type AuditActor, type AuditDetails, SYSTEM } from '~/accounts/audit.server';
import { moveApplication } from '~/applications/moves.server';
import { dayOf } from '~/clock.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { eventsFrom } from '~/domain/application/states';
import { refundDueDay } from '~/domain/order/deadlines';
import { isUndecided, leftToRefund, refundedSoFar, refundEvent } from '~/domain/order/refund-rules';
import {
  type OrderEvent,
  type RefundEvent,
  type RefundKind,
  refundMove,
  type RefundState,
} from '~/domain/order/states';
import { formatDay, formatMoney } from '~/i18n/locale.server';
import { errorFields, log } from '~/log.server';
import { mailLanguage } from '~/mail/language';
import { type MailKind, queueMail } from '~/mail/outbox.server';
import {
  PaymentRefused,
  payments,
  PaymentUnavailable,
  type ProviderDispute,
  type ProviderRefund,
} from '~/payment/provider.server';
import { sealColumn, unsealColumn } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { findApplication, lockApplication } from '~db/queries/applications.server';
import { listEventsAbout } from '~db/queries/audit-events.server';
import { findOrder, findOrderByPayment, lockOrder, type OrderRow } from '~db/queries/orders.server';
import {
  findRefund,
  listOnTheirWay,
  listRefundsOf,
  listToSend,
  type RefundRow,
} from '~db/queries/refunds.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database, Schema } from '~db/schema';
import { buyerOfOrder, takeDocumentNumber } from './invoices.server';
import { moveOrder } from './order.server';

type Asked = { kind: RefundKind; reason?: string | undefined; actor?: AuditActor };
const OPEN: readonly RefundState[] = ['requested', 'proposed', 'approved'];

/** One that is open stays. A late payment needs nobody's approval: it was never ours. */
export async function openRefund(db: Database, { id }: OrderRow, asked: Asked, now: Date) {
  const { kind, reason, actor } = asked;
  const order = await lockOrder(db, id);
  if (order?.paid_at == null) return undefined;
  const refunds = await listRefundsOf(db, id);
  const open = refunds.find(({ state }) => OPEN.includes(state));
  if (open) return open;
  const left = leftToRefund(order.amount_cents, refunds);
  if (left === 0) return undefined;
  const isLate = kind === 'late_payment';
  const late = isLate && { state: 'approved' as const, approved_at: now.toISOString() };
  const own = { kind, state: 'requested' as const, amount_cents: left, reason, actor };
  const refund = await addRefund(db, order, { ...own, ...late }, now);
  if (isLate) await tellBuyer(db, order, { kind: 'latePayment', cents: left }, now);
  return refund;
}

type SealedText = 'reason_sealed' | 'answer_sealed';
export const sealText = (row: string, field: SealedText, text: string | undefined) =>
  text ? sealColumn('refunds', row, field, text) : null;

export const textOf = (refund: RefundRow, field: SealedText) =>
  unsealColumn('refunds', refund, field);

type NewRefund = Pick<RefundRow, 'kind' | 'state' | 'amount_cents'> &
  Partial<RefundRow> & { reason?: string | undefined; actor?: AuditActor | undefined };

export async function addRefund(
  db: Database,
  order: OrderRow,
  { reason, actor = SYSTEM, ...refund }: NewRefund,
  now: Date,
): Promise<RefundRow> {
  const id = randomUUID();
  const created_at = now.toISOString();
  const reason_sealed = sealText(id, 'reason_sealed', reason);
  const row = await db
    .insertInto('refunds')
    .values({ id, order_id: order.id, reason_sealed, created_at, ...refund })
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(db, actor, 'refund.opened', ['refund', id], now, {
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

/** Compare-and-set. @returns undefined if its state does not know the event, or it has changed */
export async function moveRefund(
  db: Database,
  row: RefundRow,
  event: RefundEvent,
  { actor, set = {}, details = {} }: RefundMove,
  now: Date,
): Promise<RefundRow | undefined> {
  const to = refundMove(row.state, event);
  if (to === undefined || !(await rowsIn(db).move('refunds', row, { ...set, state: to }))) {
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

/** */
export async function tellBuyer(db: Database, order: OrderRow, message: BuyerMail, now: Date) {
  const { reference, application_id: applicationId, currency } = order;
  const language = mailLanguage(order);
  const amount = formatMoney(message.cents, currency, language);
  const parameters = { reference, amount, ...message.parameters };
  const mail = { kind: message.kind, to: buyerOfOrder(order).email, language };
  await queueMail(db, { ...mail, applicationId, parameters }, now);
}
type BuyerMail = { kind: MailKind; cents: number; parameters?: Record<string, string> };

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
  { actor, ...asked }: Omit<Asked, 'actor'> & { actor: AuditActor },
  now: Date,
): Promise<RefundRow | undefined> {
  await cancelBeforeFiling(db, order.application_id, actor, now);
  return askForRefund(db, order, asked, now);
}

/** @returns also one that was open before; undefined: nothing is left */
export async function askForRefund(db: Database, order: OrderRow, asked: Asked, now: Date) {
  const opened = await openRefund(db, order, asked, now);
  // Of one that was open before, the mail has gone.
  if (opened?.created_at !== now.toISOString()) return opened;
  const language = mailLanguage(order);
  const { paidToDays } = siteSettings().guarantee;
  const message = {
    kind: opened.kind === 'withdrawal' ? 'refundAfterWithdrawal' : 'refundRequested',
    cents: opened.amount_cents,
    parameters: { day: formatDay(refundDueDay(opened.kind, dayOf(now), paidToDays), language) },
  } as const;
  await tellBuyer(db, order, message, now);
  return opened;
}

async function cancelBeforeFiling(db: Database, id: string, actor: AuditActor, now: Date) {
  const row = await findApplication(db, id);
  if (!row || !eventsFrom(row.state, 'owner').includes('cancel')) return;
  await moveApplication(db, row, 'cancel', { as: 'owner', actor, facts: {} }, now);
}

/**
 * What came of a report about a refund. `stale`: of an attempt that failed before; `foreign`: made at the
 * provider's own site, and recorded as goodwill, so that the books agree; `unknown`: of no order of ours.
 */
type RefundOutcome = 'sent' | 'settled' | 'failed' | 'known' | 'stale' | 'foreign' | 'unknown';

/** Events may come twice, late or in another order. */
export async function handleRefundUpdated(db: Database, reported: ProviderRefund, now: Date) {
  const order = await orderOf(db, reported);
  if (!order) return 'unknown';
  // As it is now that nobody else changes it.
  const refund = await knownRefund(db, reported);
  if (!refund)
    return reported.status === 'failed' ? 'stale' : recordForeign(db, order, reported, now);
  const isKnown = refund.provider_refund_id === reported.id && refund.state !== 'approved';
  if (isKnown) return takeStatus(db, refund, reported, now);
  // Of an attempt that failed before: of later ones the provider's own answer says what its id is.
  const isFirst = refund.state === 'approved' && refund.attempt === 1;
  if (!isFirst || reported.status === 'failed') return 'stale';
  return noteSent(db, order, refund, reported, now);
}

const knownRefund = async (db: Database, { id, refundId }: ProviderRefund) =>
  (await rowsIn(db).find('refunds', { provider_refund_id: id })) ??
  (refundId ? findRefund(db, refundId) : undefined);

async function orderOf(db: Database, reported: ProviderRefund) {
  const refund = await knownRefund(db, reported);
  if (refund) return lockOrder(db, refund.order_id);
  const { paymentId } = reported;
  const order = paymentId === null ? undefined : await findOrderByPayment(db, paymentId);
  return order && lockOrder(db, order.id);
}

async function noteSent(
  db: Database,
  order: OrderRow,
  refund: RefundRow,
  reported: ProviderRefund,
  now: Date,
): Promise<RefundOutcome> {
  const set = {
    provider_refund_id: reported.id,
    failure_code: null,
    // A credit note says that we owe the money: one that came back is owed by the same, of the same day.
    sent_at: refund.sent_at ?? now.toISOString(),
    credit_note_number: refund.credit_note_number ?? (await takeCreditNote(db, order, now)),
  };
  const sent = await moveRefund(db, refund, 'send', { actor: SYSTEM, set }, now);
  // Nothing is half done: the number goes back with everything else.
  if (!sent) throw new Error(`refund ${refund.id} has changed while its order was held`);
  await moveAfterRefund(db, order, now);
  const { credit_note_number: number } = set;
  if (number !== null) {
    const mail = { kind: 'refundSent', cents: sent.amount_cents, parameters: { number } } as const;
    await tellBuyer(db, order, mail, now);
  }
  const status = await takeStatus(db, sent, reported, now);
  return status === 'known' ? 'sent' : status;
}

/** The number of a credit note; null where there is no invoice that it would correct. */
async function takeCreditNote(db: Database, { invoice_number: invoice }: OrderRow, now: Date) {
  return invoice === null ? null : takeDocumentNumber(db, 'credit_note', now);
}

async function takeStatus(db: Database, refund: RefundRow, reported: ProviderRefund, now: Date) {
  const { status, failureCode } = reported;
  if (status === 'succeeded' && refund.state === 'sent') {
    const set = { settled_at: now.toISOString() };
    await moveRefund(db, refund, 'settle', { actor: SYSTEM, set }, now);
    return 'settled';
  }
  const isOnItsWay = refund.state === 'sent' || refund.state === 'settled';
  if (status === 'failed' && isOnItsWay) return noteFailed(db, refund, { code: failureCode }, now);
  return 'known';
}

async function noteFailed(
  db: Database,
  refund: RefundRow,
  {
    code,
    providerId = refund.provider_refund_id,
  }: { code: string | null; providerId?: string | null },
  now: Date,
): Promise<RefundOutcome> {
  const failureCode = code !== null && /^[a-z_]{1,60}$/.test(code) ? code : 'unknown';
  const set = { failure_code: failureCode, provider_refund_id: providerId, settled_at: null };
  const details = { code: failureCode };
  const failed = await moveRefund(db, refund, 'fail', { actor: SYSTEM, set, details }, now);
  return failed ? 'failed' : 'known';
}

async function recordForeign(db: Database, order: OrderRow, reported: ProviderRefund, now: Date) {
  const at = now.toISOString();
  const isSettled = reported.status === 'succeeded';
  const made: NewRefund = {
    kind: 'goodwill',
    state: isSettled ? 'settled' : 'sent',
    amount_cents: reported.amountCents,
    provider_refund_id: reported.id,
    credit_note_number: await takeCreditNote(db, order, now),
    ...{ approved_at: at, sent_at: at, ...(isSettled && { settled_at: at }) },
  };
  await addRefund(db, order, made, now);
  await moveAfterRefund(db, order, now);
  return 'foreign' as const;
}

/** While it lasts nothing is refunded; lost, the rest of the price is gone, with a credit note. */
export async function handleDispute(db: Database, dispute: ProviderDispute, now: Date) {
  const { id, paymentId, status } = dispute;
  const found = paymentId === null ? undefined : await findOrderByPayment(db, paymentId);
  const order = found && (await lockOrder(db, found.id));
  if (!order) return 'unknown';
  const told = await eventsOf(db, order, id);
  if (told.includes('dispute_won') || told.includes('dispute_lost')) return 'known';
  const move = async (from: OrderRow, event: OrderEvent) => {
    const refunded = refundedSoFar(await listRefundsOf(db, from.id));
    return (await moveOrder(db, from, event, { details: { dispute: id }, refunded }, now)) ?? from;
  };
  const disputed = told.includes('dispute') ? order : await move(order, 'dispute');
  if (status === 'open') return told.includes('dispute') ? 'known' : 'disputed';
  if (status === 'lost') await loseRest(db, disputed, dispute, now);
  await move(disputed, status === 'won' ? 'dispute_won' : 'dispute_lost');
  return status;
}

async function eventsOf(db: Database, { id }: OrderRow, dispute: string): Promise<string[]> {
  return (await listEventsAbout(db, { type: 'order', id }))
    .filter(({ action }) => action === 'order.moved')
    .map(({ details }) => JSON.parse(details) as { event?: string; dispute?: string })
    .flatMap((details) => (details.dispute === dispute && details.event) || []);
}

/** The bank has taken the money: what was to be refunded is not, and the books say where it went. */
async function loseRest(db: Database, order: OrderRow, dispute: ProviderDispute, now: Date) {
  const details = { dispute: dispute.id };
  for (const refund of await listRefundsOf(db, order.id)) {
    if (isUndecided(refund.state)) {
      await moveRefund(db, refund, 'refuse', { actor: SYSTEM, details }, now);
    }
    if (refund.state === 'approved') await noteFailed(db, refund, { code: 'charge_disputed' }, now);
  }
  const left = leftToRefund(order.amount_cents, await listRefundsOf(db, order.id));
  const lost = Math.min(left, dispute.amountCents);
  if (lost === 0) return;
  const at = now.toISOString();
  const taken: NewRefund = {
    kind: 'dispute',
    state: 'settled',
    amount_cents: lost,
    provider_refund_id: dispute.id,
    credit_note_number: await takeCreditNote(db, order, now),
    ...{ approved_at: at, sent_at: at, settled_at: at },
  };
  await addRefund(db, order, taken, now);
}

export type Runs = { read?: typeof queryDatabase; write?: typeof writeDatabase };

const AT_ONCE = 100;
/** The provider forgets a key after a day: what may have been asked for before that is looked for. */
const KEY_HOURS = 23;

/** Idempotent: the provider knows a refund by its id and attempt. */
export async function sendRefunds(now: Date, runs: Runs = {}) {
  const { read = queryDatabase, write = writeDatabase } = runs;
  const done = { sent: 0, settled: 0, failed: 0 };
  const count = (outcome: RefundOutcome | undefined) => {
    if (outcome === 'sent' || outcome === 'settled' || outcome === 'failed') done[outcome] += 1;
  };
  const errors: unknown[] = [];
  const each = async (ids: readonly string[], work: (id: string) => Promise<void>) => {
    for (const id of ids) {
      await work(id).catch((error: unknown) => {
        if (error instanceof PaymentUnavailable) throw error;
        errors.push(error);
      });
    }
  };
  try {
    await each(await read((db) => listToSend(db, AT_ONCE)), async (id) => {
      const outcome = await sendRefund(id, now, { read, write });
      // What arrives at once was sent, too.
      if (outcome === 'settled') done.sent += 1;
      count(outcome);
    });
    await each(await read((db) => listOnTheirWay(db, AT_ONCE)), async (providerId) => {
      count(await askAfter(providerId, now, write));
    });
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    log('warn', 'refunds wait: the payment provider cannot be reached', errorFields(error));
  }
  if (errors.length > 0) throw errors[0];
  return done;
}

/** Undefined if it is not to be sent. @throws {PaymentUnavailable} the hourly job tries again */
export async function sendRefund(
  id: string,
  now: Date,
  { read = queryDatabase, write = writeDatabase }: Runs = {},
): Promise<RefundOutcome | undefined> {
  const found = await read((db) => toSend(db, id));
  if (!found) return undefined;
  const { refund, paymentId } = found;
  const answer = await askFor(refund, paymentId, now).catch((error: unknown) => {
    const known = orWait(error);
    if (known instanceof PaymentRefused) return known;
    throw known;
  });
  return write((db) => takeAnswer(db, refund, answer, now));
}

/** While our key is refused all refunds wait, as while the provider is away: none of them is wrong. */
function orWait(error: unknown): unknown {
  const isKey = error instanceof PaymentRefused && error.isKey;
  return isKey ? new PaymentUnavailable(error.message, { cause: error }) : error;
}

/** Asks the provider to send a refund; what it has sent already, and nobody noted, is taken over. */
async function askFor(refund: RefundRow, paymentId: string, now: Date): Promise<ProviderRefund> {
  const { id: refundId, attempt, amount_cents: amountCents, approved_at: approvedAt } = refund;
  const isOld = attempt > 1 || addHours(new Date(approvedAt ?? now), KEY_HOURS) <= now;
  const failed = refund.provider_refund_id;
  const sent = isOld ? await payments().findSentRefund({ refundId, paymentId, failed }) : undefined;
  return sent ?? payments().createRefund({ refundId, attempt, paymentId, amountCents });
}

async function toSend(db: Database, id: string) {
  const refund = await findRefund(db, id);
  const order = refund && (await findOrder(db, refund.order_id));
  const paymentId = order?.provider_payment_id;
  if (refund?.state !== 'approved' || !paymentId || order?.state === 'disputed') return undefined;
  return { refund, paymentId };
}

type Answer = ProviderRefund | PaymentRefused;

async function takeAnswer(db: Database, asked: RefundRow, answer: Answer, now: Date) {
  const order = await lockOrder(db, asked.order_id);
  const refund = await findRefund(db, asked.id);
  if (!order || refund?.state !== 'approved' || refund.attempt !== asked.attempt) {
    return answer instanceof PaymentRefused ? 'known' : handleRefundUpdated(db, answer, now);
  }
  if (answer instanceof PaymentRefused) return noteFailed(db, refund, { code: answer.code }, now);
  if (answer.status === 'failed') {
    // The money never left.
    return noteFailed(db, refund, { code: answer.failureCode, providerId: answer.id }, now);
  }
  return noteSent(db, order, refund, answer, now);
}

async function askAfter(providerId: string, now: Date, write: typeof writeDatabase) {
  try {
    const reported = await payments().findRefund(providerId);
    return await write((db) => handleRefundUpdated(db, reported, now));
  } catch (error) {
    const known = orWait(error);
    if (!(known instanceof PaymentRefused)) throw known;
    // Such as with another account's key: staff see that it does not arrive.
    log('error', 'the payment provider does not know a refund', { code: known.code });
    return undefined;
  }
}
