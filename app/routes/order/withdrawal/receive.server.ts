import { addMinutes } from 'date-fns';

import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { RECEIPT_MINUTES } from '~/domain/order/withdrawal';
import { formatLongInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { errorFields, log } from '~/log.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { applyWithdrawal } from '~/orders/apply-withdrawals.server';
import { type Declaration, receiptOf, receiveWithdrawal } from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import { findWithdrawal } from '~db/queries/withdrawals.server';

/** So long after the answer what follows is done: its time does not tell whether there is an order. */
const AFTER_ANSWER_MS = 100;

/**
 * Records a withdrawal; what follows from it is done after the answer, or by the hourly job.
 *
 * @returns the id of its receipt
 * @throws {Response} 503 without a database
 */
export async function withdraw(
  declared: Declaration,
  from: { client: string; language: Language },
): Promise<string> {
  const id = await requireDatabase(
    (db) => receiveWithdrawal(db, declared, from, now()),
    writeDatabase,
  );
  setTimeout(() => void follow(id), AFTER_ANSWER_MS).unref();
  return id;
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
}

/**
 * What was declared, for who has just done so.
 *
 * @returns undefined for an unknown one, and after an hour: the mail is kept
 * @throws {Response} 503 without a database
 */
export async function receiptView(
  id: string,
  language: Language,
): Promise<ReceiptView | undefined> {
  const row = await requireDatabase((db) => findWithdrawal(db, id));
  if (!row || addMinutes(new Date(row.received_at), RECEIPT_MINUTES) < now()) return undefined;
  const { receivedAt, name, reference, email } = receiptOf(row);
  const received = formatLongInstant(receivedAt, language, siteSettings().timeZone);
  return { name, reference, email, received, at: row.received_at };
}
