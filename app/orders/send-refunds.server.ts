import { addHours } from 'date-fns';

import { queryDatabase, writeDatabase } from '~/database.server';
import { errorFields, log } from '~/log.server';
import { wakeOutbox } from '~/mail/outbox.server';
import {
  PaymentRefused,
  payments,
  PaymentUnavailable,
  type ProviderRefund,
} from '~/payment/provider.server';
import type { Database } from '~db/schema';
import { findOrder, lockOrder, type OrderRow } from '~db/queries/orders.server';
import { findRefund, listOnTheirWay, listToSend, type RefundRow } from '~db/queries/refunds.server';
import { noteFailed, noteSent, type RefundNews, takeRefundNews } from './refund-news.server';

type Run = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

interface Runs {
  read?: Run;
  write?: Run;
}

export interface RefundsSent {
  sent: number;
  settled: number;
  failed: number;
}

const AT_ONCE = 100;
/** The provider forgets a key after a day: what may have been asked for before that is looked for. */
const KEY_HOURS = 23;

/**
 * Sends what is approved, and asks after what was sent. To do it twice, or at the same moment, is no
 * harm: the provider knows a refund by its id and attempt, and one of many notes what came of it. While
 * the provider cannot be reached, all waits; one that fails for another reason holds up no other.
 *
 * @throws what the first of them failed with, once all were tried
 */
export async function sendRefunds(now: Date, runs: Runs = {}): Promise<RefundsSent> {
  const { read = queryDatabase, write = writeDatabase } = runs;
  const done: RefundsSent = { sent: 0, settled: 0, failed: 0 };
  const count = (news: RefundNews | undefined) => {
    if (news === 'sent' || news === 'settled' || news === 'failed') done[news] += 1;
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
      const news = await sendRefund(id, now, { read, write });
      // What arrives at once was sent, too.
      if (news === 'settled') done.sent += 1;
      count(news);
    });
    await each(await read((db) => listOnTheirWay(db, AT_ONCE)), async (providerId) => {
      count(await askAfter(providerId, now, write));
    });
  } catch (error) {
    if (!(error instanceof PaymentUnavailable)) throw error;
    log('warn', 'refunds wait: the payment provider cannot be reached', errorFields(error));
  }
  if (done.sent > 0) wakeOutbox();
  if (errors.length > 0) throw errors[0];
  return done;
}

/**
 * Sends one refund, if it is approved and nobody disputes its payment.
 *
 * @returns what came of it; undefined if it is not to be sent
 * @throws {PaymentUnavailable} if the provider cannot be reached: the hourly job tries again
 */
export async function sendRefund(
  id: string,
  now: Date,
  { read = queryDatabase, write = writeDatabase }: Runs = {},
): Promise<RefundNews | undefined> {
  const found = await read((db) => toSend(db, id));
  if (!found) return undefined;
  const { refund, order, paymentId } = found;
  const answer = await askFor(refund, paymentId, now).catch((error: unknown) => {
    const known = orWait(error);
    if (known instanceof PaymentRefused) return known;
    throw known;
  });
  return write((db) => takeAnswer(db, order, refund, answer, now));
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
  return { refund, order, paymentId };
}

/** What the provider answered to this attempt; another may have been told the same meanwhile. */
async function takeAnswer(
  db: Database,
  { id: orderId }: OrderRow,
  asked: RefundRow,
  answer: ProviderRefund | PaymentRefused,
  now: Date,
): Promise<RefundNews> {
  const order = await lockOrder(db, orderId);
  const refund = await findRefund(db, asked.id);
  if (!order || refund?.state !== 'approved' || refund.attempt !== asked.attempt) {
    return answer instanceof PaymentRefused ? 'known' : takeRefundNews(db, answer, now);
  }
  if (answer instanceof PaymentRefused) return noteFailed(db, refund, { code: answer.code }, now);
  if (answer.status === 'failed') {
    // The money never left.
    return noteFailed(db, refund, { code: answer.failureCode, providerId: answer.id }, now);
  }
  return noteSent(db, order, refund, answer, now);
}

async function askAfter(
  providerId: string,
  now: Date,
  write: Run,
): Promise<RefundNews | undefined> {
  try {
    const news = await payments().findRefund(providerId);
    return await write((db) => takeRefundNews(db, news, now));
  } catch (error) {
    const known = orWait(error);
    if (!(known instanceof PaymentRefused)) throw known;
    // Such as with another account's key: staff see that it does not arrive.
    log('error', 'the payment provider does not know a refund', { code: known.code });
    return undefined;
  }
}
