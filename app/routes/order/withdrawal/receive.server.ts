import { addMinutes } from 'date-fns';
import { z } from 'zod/v4';

import { later, now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { RECEIPT_MINUTES } from '~/domain/order/withdrawal';
import { signedCookie } from '~/http/cookies.server';
import { formatLongInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { errorFields, log } from '~/log.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { applyWithdrawal } from '~/orders/apply-withdrawals.server';
import {
  answerEnd,
  type Declaration,
  receiptOf,
  receiveWithdrawal,
  tookEffectAtOnce,
} from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import { findWithdrawal } from '~db/queries/withdrawals.server';
import { ownApplications } from './prefill.server';

/** So long after the answer what follows is done: its time does not tell whether there is an order. */
const AFTER_ANSWER_MS = 100;

/** The receipts of this browser's own withdrawals, the latest first: nobody else opens their pages. */
const receiptCookie = signedCookie('receipt', z.array(z.uuid()).max(5), {
  maxAge: RECEIPT_MINUTES * 60,
  readOn: ['/withdrawal'],
  isLive: true,
});

/**
 * Records a withdrawal; what follows from it is done after the answer, or by the hourly job.
 *
 * @returns the id of its receipt, and the `Set-Cookie` header that lets this browser open it
 * @throws {Response} 503 without a database
 */
export async function withdraw(
  request: Request,
  declared: Declaration,
  from: { client: string; language: Language },
): Promise<{ id: string; cookie: string }> {
  const applications = await requireDatabase(() => ownApplications(request));
  const own = applications.map(({ row }) => row.id);
  const id = await requireDatabase(
    (db) => receiveWithdrawal(db, declared, { ...from, own }, now()),
    writeDatabase,
  );
  later(AFTER_ANSWER_MS, () => void follow(id));
  const before = (await receiptCookie.read(request)) ?? [];
  return { id, cookie: await receiptCookie.write([id, ...before].slice(0, 5)) };
}

async function follow(id: string): Promise<void> {
  try {
    await writeDatabase((db) => applyWithdrawal(db, id, now()));
  } catch (error) {
    log('error', 'a withdrawal waits for the hourly job', errorFields(error));
  }
  wakeOutbox();
}

/** What the page of a receipt shows. */
export interface ReceiptView {
  name: string;
  reference: string;
  email: string;
  /** Formatted, where the site is; and for programs. */
  received: string;
  at: string;
  /** When it takes effect, if nobody says that it was not them; none where it has already. */
  effective?: string;
}

/**
 * What was declared, for the browser that has just done so.
 *
 * @returns undefined for another one, and after an hour: the mail is kept
 * @throws {Response} 503 without a database
 */
export async function receiptView(
  request: Request,
  id: string,
  language: Language,
): Promise<ReceiptView | undefined> {
  if (!(await receiptCookie.read(request))?.includes(id)) return undefined;
  const row = await requireDatabase((db) => findWithdrawal(db, id));
  if (!row || addMinutes(new Date(row.received_at), RECEIPT_MINUTES) < now()) return undefined;
  const { receivedAt, name, reference, email } = receiptOf(row);
  const format = (at: Date) => formatLongInstant(at, language, siteSettings().timeZone);
  return {
    name,
    reference,
    email,
    received: format(receivedAt),
    at: row.received_at,
    // The same whether there is such an order or not.
    ...(!tookEffectAtOnce(row) && { effective: format(answerEnd(receivedAt)) }),
  };
}
