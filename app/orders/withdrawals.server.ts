import { addHours } from 'date-fns';
import { randomUUID } from 'node:crypto';

import { ANYBODY, audit, type AuditActor, SYSTEM } from '~/accounts/audit.server';
import { issueToken, lastingLink } from '~/accounts/one-time-tokens.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { dayOf, now as clockNow } from '~/clock.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { normalizeEmail } from '~/domain/accounts';
import { readReference } from '~/domain/application/reference';
import type { WithdrawalOutcome } from '~/domain/order/states';
import { type Standing, standingOn } from '~/domain/order/deadlines';
import {
  ANSWER_HOURS,
  ANSWERS,
  repeatable,
  type WithdrawalAnswer,
} from '~/domain/order/withdrawal';
import { siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/locale.server';
import { isMailRefused, queueMail, sendAfterAnswer, simulateQueue } from '~/mail/outbox.server';
import { paragraph, type ReadContents } from '~/mail/sections';
import { blindIndexes, sealColumn, unsealColumn } from '~/sealing/seal.server';
import { countDone } from '~/until-none';
import { findApplication } from '~db/queries/applications.server';
import { markTokenUsed } from '~db/queries/one-time-tokens.server';
import { findOrder, listOrdersByReference, type OrderRow } from '~db/queries/orders.server';
import { rowsIn } from '~db/queries/rows.server';
import { findUser } from '~db/queries/users.server';
import {
  findWithdrawal,
  hasWithdrawal,
  isOwnerAsked,
  listDueWithdrawals,
  listHeldOf,
  updateOpenWithdrawal,
  type WithdrawalRow,
} from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import { buyerOfOrder } from './invoices.server';
import { cancelOrder, holdContract, type Runs } from './refunds.server';
import { EMAIL_INDEX } from '~/applications/answers.server';

export type Declaration = { name: string; reference: string; email: string };

export interface WithdrawalReceipt extends Declaration {
  receivedAt: Date;
  language: string;
}

interface Declarer {
  client: string;
  language: Language;
  /** The applications that are their own: of the account, or open in this browser. */
  own: readonly string[];
}

/** Nobody learns whether there is such an order: each way reads, seals, counts and writes alike. */
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
  await rowsIn(db).insert('withdrawals', {
    id,
    order_id: order?.id ?? null,
    name_sealed: sealColumn('withdrawals', id, 'name_sealed', declared.name),
    reference_sealed: sealColumn('withdrawals', id, 'reference_sealed', declared.reference),
    email_sealed: sealColumn('withdrawals', id, 'email_sealed', declared.email),
    language_code: language,
    outcome,
    received_at: now.toISOString(),
    effective_at: effectiveAt?.toISOString() ?? null,
  });
  await audit(db, ANYBODY, 'withdrawal.received', ['withdrawal', id], now, { outcome, own: isOwn });
  // A contract's own address gets its receipt, however many mails it had; once.
  const isSure = (outcome === 'matched' || outcome === 'late') && (isOwn || !isFurther);
  const message = receiptMail({ ...declared, receivedAt: now, language }, effectiveAt === now);
  const mail = { kind: message.kind, to: declared.email, client };
  const isRefused = await isMailRefused(db, mail, now);
  if (isSure) await queueMail(db, message, now);
  else if (isRefused) await simulateQueue(db, message, now);
  else await queueMail(db, { ...message, unverified: { client } }, now);
  sendAfterAnswer(db);
  return id;
}

export const answerEnd = (receivedAt: Date): Date => addHours(receivedAt, ANSWER_HOURS);

export const tookEffectAtOnce = ({ effective_at, received_at }: WithdrawalRow): boolean =>
  effective_at === received_at;

async function declaredOrder(db: Database, { reference: typed, email: typedEmail }: Declaration) {
  const reference = readReference(typed) ?? 'none';
  const order = contractAmong(await listOrdersByReference(db, reference));
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

export const contractAmong = (orders: readonly OrderRow[]): OrderRow | undefined =>
  orders.find(({ fulfilled_at }) => fulfilled_at !== null) ??
  orders.find(({ paid_at }) => paid_at !== null) ??
  orders.find(({ state }) => state === 'created');

async function outcomeOf(db: Database, order: OrderRow | undefined, now: Date) {
  // What a stranger may have declared, and waits, is no reason to close what may be the owner's.
  const isRepeated = await hasWithdrawal(db, order?.id ?? 'none', { isSettled: true });
  if (!order) return 'unmatched';
  if (isRepeated) return 'repeated';
  return standingOf(order, now) === 'withdrawal' ? 'matched' : 'late';
}

export function standingOf(order: OrderRow, at: Date): Standing {
  return standingOn(dayOf(at), {
    contractDay: dayOf(new Date(order.paid_at ?? order.created_at)),
    guaranteeDays: order.paid_at === null ? 0 : order.guarantee_days,
  });
}

/** The mail that says what was declared, and when (article 11a(4)): on a durable medium. */
function receiptMail(
  { email, receivedAt, language, ...declared }: WithdrawalReceipt,
  isNow: boolean,
) {
  const parameters = {
    ...repeatable(declared),
    address: email,
    received: receivedAt.toISOString(),
    due: answerEnd(receivedAt).toISOString(),
  };
  const kind = isNow ? 'withdrawalReceived' : 'withdrawalRecorded';
  return { kind, to: email, language, parameters } as const;
}

/** @throws {SealError} if it does not open */
export const addressOfWithdrawal = (row: WithdrawalRow) =>
  unsealColumn('withdrawals', row, 'email_sealed');

/** @throws {SealError} if it does not open */
export const receiptOf = (row: WithdrawalRow): WithdrawalReceipt => ({
  name: unsealColumn('withdrawals', row, 'name_sealed'),
  reference: unsealColumn('withdrawals', row, 'reference_sealed'),
  email: addressOfWithdrawal(row),
  receivedAt: new Date(row.received_at),
  language: row.language_code,
});

/** For one whose owner has not answered in time, or whose process ended before. */
export async function applyWithdrawals(now: Date, runs: Runs = {}): Promise<number> {
  const { read = queryDatabase, write = writeDatabase } = runs;
  const due = await read((db) => listDueWithdrawals(db, now));
  return countDone(due, ({ id }) => write((db) => applyWithdrawal(db, id, now)));
}

/** Cancels what is not filed, and opens a refund; one that is too late waits for staff. */
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

/** Of two answers, or one at the end of its time, the first counts. */
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
    return takeEffect(db, row, order, ANYBODY, now);
  }
  await updateOpenWithdrawal(db, row.id, { answer, handled_at: at });
  await noteHandled(db, row.id, ANYBODY, 'disowned', now);
  const [next] = await listHeldOf(db, order.id);
  if (next) await applyWithdrawal(db, next.id, now);
  return true;
}

type Seen = { staffId: string; orderId?: string };

/** It counts from when it was received. @returns false if staff have seen to it already */
export async function assignWithdrawal(db: Database, id: string, by: Required<Seen>, now: Date) {
  const order = await holdContract(db, by.orderId);
  const row = await findWithdrawal(db, id);
  if (!order || !row || !isForStaff(row)) return false;
  const actor = { kind: 'staff', id: by.staffId } as const;
  const isDone = await takeEffect(db, { ...row, order_id: order.id }, order, actor, now);
  return isDone || closeWithdrawal(db, id, by, now);
}

const isForStaff = ({ handled_at, outcome, effective_at }: WithdrawalRow) =>
  handled_at === null && (outcome === 'unmatched' || (outcome === 'late' && effective_at === null));

/** @returns false if that was done before, or it takes effect by itself */
export async function closeWithdrawal(db: Database, id: string, by: Seen, now: Date) {
  const { staffId, orderId } = by;
  const row = await findWithdrawal(db, id);
  if (!row || !isForStaff(row)) return false;
  const late = orderId && { order_id: orderId, outcome: 'late' as const };
  const changes = { handled_at: now.toISOString(), ...late };
  if (!(await updateOpenWithdrawal(db, id, changes))) return false;
  await noteHandled(db, id, { kind: 'staff', id: staffId }, 'seen', now);
  return true;
}

/** @returns false if it is too late for law and guarantee */
async function takeEffect(
  db: Database,
  row: WithdrawalRow,
  order: OrderRow,
  actor: AuditActor,
  now: Date,
): Promise<boolean> {
  const end = async (id: string, outcome: WithdrawalOutcome, by = actor) => {
    const handled = { handled_at: now.toISOString(), order_id: order.id };
    await updateOpenWithdrawal(db, id, { ...handled, outcome });
    await noteHandled(db, id, by, outcome, now);
  };
  const isLatter = await hasWithdrawal(db, order.id, { isHandled: true, except: row.id });
  if (row.outcome === 'repeated' || isLatter) {
    await end(row.id, 'repeated');
    return true;
  }
  const standing = standingOf(order, new Date(row.received_at));
  if (standing === 'over') return false;
  await end(row.id, standing === 'withdrawal' ? 'matched' : 'late');
  await cancelOrder(db, order, { kind: standing, actor: ANYBODY }, now);
  await tellBuyersOwn(db, row, order, now);
  // What waited for an answer needs none any more.
  for (const { id } of await listHeldOf(db, order.id)) await end(id, 'repeated', SYSTEM);
  return true;
}

async function tellBuyersOwn(db: Database, row: WithdrawalRow, order: OrderRow, now: Date) {
  const receipt = receiptOf(row);
  const { email } = buyerOfOrder(order);
  if (normalizeEmail(email) === normalizeEmail(receipt.email)) return;
  const message = receiptMail({ ...receipt, language: order.language_code }, true);
  await queueMail(db, { ...message, to: email }, now);
}

const noteHandled = (db: Database, id: string, actor: AuditActor, how: string, now: Date) =>
  audit(db, actor, 'withdrawal.handled', ['withdrawal', id], now, { how });

/** About one withdrawal at a time. The time to answer begins now. */
async function askOwner(db: Database, row: WithdrawalRow, order: OrderRow, now: Date) {
  if (await isOwnerAsked(db, order.id)) return false;
  const due = answerEnd(now).toISOString();
  await updateOpenWithdrawal(db, row.id, { asked_at: now.toISOString(), effective_at: due });
  const parameters = {
    withdrawal: row.id,
    reference: order.reference,
    received: row.received_at,
    due,
  };
  for (const to of await ownAddresses(db, order)) {
    const about = { language: order.language_code, applicationId: order.application_id };
    await queueMail(db, { kind: 'withdrawalAsked', to, ...about, parameters }, now);
  }
  return true;
}

async function ownAddresses(db: Database, order: OrderRow): Promise<string[]> {
  const application = await findApplication(db, order.application_id);
  const user = await findUser(db, application?.user_id ?? 'none');
  const { email } = buyerOfOrder(order);
  const isSame = user === undefined || user.email_normalized === normalizeEmail(email);
  return isSame ? [email] : [email, user.email];
}

export const askedContents: ReadContents = async (db, { language, parameters }) => {
  const row = await findWithdrawal(db, parameters['withdrawal'] ?? '');
  const order = row?.order_id == null ? undefined : await findOrder(db, row.order_id);
  if (!row || !order || row.handled_at !== null) return null;
  const link = { applicationId: order.application_id, payload: row.id };
  const token = await issueToken(db, { purpose: 'answerWithdrawal', ...link }, clockNow());
  const t = translator(language);
  const asked = ANSWERS.map((answer) => {
    const url = new URL('/withdrawal/answer', siteOrigin());
    url.search = new URLSearchParams({ token, answer, lng: language }).toString();
    return { answer, url: url.href };
  });
  return {
    sections: asked.map(({ answer, url }) => ({
      title: t(`mail:withdrawalAnswers.${answer}.title`),
      blocks: [t(`mail:withdrawalAnswers.${answer}.text`), url].map(paragraph),
    })),
    links: asked.map(({ url }) => url),
  };
};

export async function askedWithdrawal(db: Database, token: string, now: Date) {
  const link = await lastingLink(db, 'answerWithdrawal', token, now);
  const row = link && (await findWithdrawal(db, link.payload ?? ''));
  return row?.order_id == null ? undefined : { row, orderId: row.order_id };
}
