import { randomUUID } from 'node:crypto';

import { addHours } from 'date-fns';

import { recordEvent } from '~/accounts/audit.server';
import { EMAIL_INDEX } from '~/applications/columns.server';
import { dayOf } from '~/clock.server';
import { normalizeEmail } from '~/domain/accounts';
import { readReference } from '~/domain/application/reference';
import { type Standing, standingOn } from '~/domain/order/deadlines';
import type { WithdrawalOutcome } from '~/domain/order/states';
import { ANSWER_HOURS, repeatable } from '~/domain/order/withdrawal';
import type { Language } from '~/i18n/languages';
import { toLanguage } from '~/i18n/languages';
import { isMailRefused, queueMail, queueNothing } from '~/mail/outbox.server';
import { blindIndexes, seal, unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { findApplication } from '~db/queries/applications.server';
import { listOrdersByReference, type OrderRow } from '~db/queries/orders.server';
import { findUser } from '~db/queries/users.server';
import {
  hasWithdrawal,
  insertWithdrawal,
  type WithdrawalRow,
} from '~db/queries/withdrawals.server';
import { buyerOfOrder } from './sealed-buyer.server';

export interface Declaration {
  name: string;
  reference: string;
  email: string;
}

export interface Receipt extends Declaration {
  receivedAt: Date;
  language: Language;
}

const FIELDS = ['name', 'reference', 'email'] as const;

const placeIn = (id: string, field: (typeof FIELDS)[number]) => ({
  table: 'withdrawals',
  row: id,
  field: `${field}_sealed`,
});

interface Declarer {
  /** The client's address as it is counted. */
  client: string;
  language: Language;
  /** The applications that are their own: of the account, or open in this browser. */
  own: readonly string[];
}

/**
 * Records a withdrawal and queues its receipt, in the transaction `db`; `wakeOutbox()` after it, and
 * `applyWithdrawal`, which does what follows. Nobody learns whether there is such an order: each way
 * reads, seals, counts and writes the same.
 *
 * @returns the id by which the page of the receipt is opened
 */
export async function receiveWithdrawal(
  db: Database,
  declared: Declaration,
  { client, language, own }: Declarer,
  now: Date,
): Promise<string> {
  const order = await declaredOrder(db, declared);
  const isOwn = order !== undefined && own.includes(order.application_id);
  const isFurther = await hasWithdrawal(db, order?.id ?? 'none');
  const outcome = await outcomeOf(db, order, now);
  const isEffective =
    outcome === 'matched' || (outcome === 'late' && order && standingOf(order, now) !== 'over');
  const effectiveAt = isEffective ? (isOwn ? now : answerEnd(now)) : undefined;
  const id = randomUUID();
  await insertWithdrawal(db, {
    id,
    order_id: order?.id ?? null,
    name_sealed: seal(declared.name, placeIn(id, 'name')),
    reference_sealed: seal(declared.reference, placeIn(id, 'reference')),
    email_sealed: seal(declared.email, placeIn(id, 'email')),
    language_code: language,
    outcome,
    received_at: now.toISOString(),
    effective_at: effectiveAt?.toISOString() ?? null,
    handled_at: null,
  });
  await recordEvent(
    db,
    {
      action: 'withdrawal.received',
      actor: { kind: 'anybody' },
      subject: { type: 'withdrawal', id },
      details: { outcome, own: isOwn },
    },
    now,
  );
  // A contract's own address gets its receipt, however many mails it had; once.
  const isSure = (outcome === 'matched' || outcome === 'late') && (isOwn || !isFurther);
  const isNow = effectiveAt === now;
  await queueReceipt(db, { declared, isSure, isNow, client, language }, now);
  return id;
}

export const answerEnd = (receivedAt: Date): Date => addHours(receivedAt, ANSWER_HOURS);

/** Whether a withdrawal took effect when it was declared: it came from who owns the contract. */
export const tookEffectAtOnce = ({ effective_at, received_at }: WithdrawalRow): boolean =>
  effective_at === received_at;

/** The order that was declared: its reference, and an address that belongs to it. */
async function declaredOrder(
  db: Database,
  { reference: typed, email: typedEmail }: Declaration,
): Promise<OrderRow | undefined> {
  const reference = readReference(typed) ?? 'none';
  const orders = await listOrdersByReference(db, reference);
  const order = contractAmong(orders);
  const application = await findApplication(db, order?.application_id ?? reference);
  const user = await findUser(db, application?.user_id ?? reference);
  const email = normalizeEmail(typedEmail);
  const indexes = blindIndexes(EMAIL_INDEX, email);
  if (!order) return undefined;
  const isApplications =
    application?.email_index != null && indexes.includes(application.email_index);
  const isBuyers = normalizeEmail(buyerOfOrder(order).email) === email;
  return isApplications || isBuyers || user?.email_normalized === email ? order : undefined;
}

/** Of an application's orders, the latest first, the one that somebody can withdraw from. */
export function contractAmong(orders: readonly OrderRow[]): OrderRow | undefined {
  return (
    orders.find(({ fulfilled_at }) => fulfilled_at !== null) ??
    orders.find(({ paid_at }) => paid_at !== null) ??
    orders.find(({ state }) => state === 'created')
  );
}

async function outcomeOf(
  db: Database,
  order: OrderRow | undefined,
  now: Date,
): Promise<WithdrawalOutcome> {
  // What a stranger may have declared, and waits, is no reason to close what may be the owner's.
  const isRepeated = await hasWithdrawal(db, order?.id ?? 'none', { isSettled: true });
  if (!order) return 'unmatched';
  if (isRepeated) return 'repeated';
  return standingOf(order, now) === 'withdrawal' ? 'matched' : 'late';
}

/** By which right the price of an order can be asked back at an instant. */
export function standingOf(order: OrderRow, at: Date): Standing {
  return standingOn(dayOf(at), {
    contractDay: dayOf(new Date(order.paid_at ?? order.created_at)),
    guaranteeDays: order.paid_at === null ? 0 : order.guarantee_days,
  });
}

interface ReceiptMail {
  declared: Declaration;
  isSure: boolean;
  isNow: boolean;
  client: string;
  language: Language;
}

async function queueReceipt(
  db: Database,
  { declared, isSure, isNow, client, language }: ReceiptMail,
  now: Date,
): Promise<void> {
  const message = receiptMail({ ...declared, receivedAt: now, language }, isNow);
  const mail = { kind: message.kind, to: declared.email, client };
  const isRefused = await isMailRefused(db, mail, now);
  if (isSure) await queueMail(db, message, now);
  else if (isRefused) await queueNothing(db, message, now);
  else await queueMail(db, { ...message, unverified: { client } }, now);
}

/**
 * The mail that says what was declared, and when (article 11a(4)): on a durable medium.
 *
 * @param isNow whether it takes effect at once
 */
export function receiptMail({ email, receivedAt, language, ...declared }: Receipt, isNow: boolean) {
  const parameters = {
    ...repeatable(declared),
    address: email,
    received: receivedAt.toISOString(),
    due: answerEnd(receivedAt).toISOString(),
  };
  const kind = isNow ? 'withdrawalReceived' : 'withdrawalRecorded';
  return { kind, to: email, language, parameters } as const;
}

/** The address of a withdrawal alone. @throws {SealError} if it does not open */
export const addressOfWithdrawal = ({ id, email_sealed: sealed }: WithdrawalRow): string =>
  unseal(sealed, placeIn(id, 'email'));

/** A withdrawal as it was received. @throws {SealError} if it does not open */
export function receiptOf(row: WithdrawalRow): Receipt {
  const [name = '', reference = '', email = ''] = FIELDS.map((field) =>
    unseal(row[`${field}_sealed`], placeIn(row.id, field)),
  );
  return {
    name,
    reference,
    email,
    receivedAt: new Date(row.received_at),
    language: toLanguage(row.language_code) ?? 'en',
  };
}
