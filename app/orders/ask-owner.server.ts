import { issueToken, payloadPlace } from '~/accounts/one-time-tokens.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { now as clockNow } from '~/clock.server';
import { normalizeEmail } from '~/domain/accounts';
import { ANSWERS } from '~/domain/order/withdrawal';
import { siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { mailLanguage } from '~/mail/language';
import { queueMail } from '~/mail/outbox.server';
import type { MailContents } from '~/mail/sections';
import { unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { findApplication } from '~db/queries/applications.server';
import { findAnyToken } from '~db/queries/one-time-tokens.server';
import { findOrder, type OrderRow } from '~db/queries/orders.server';
import { findUser } from '~db/queries/users.server';
import {
  findWithdrawal,
  isOwnerAsked,
  updateOpenWithdrawal,
  type WithdrawalRow,
} from '~db/queries/withdrawals.server';
import { buyerOfOrder } from './sealed-buyer.server';
import { answerEnd } from './withdrawals.server';

/**
 * Asks who owns a contract whether it was them who declared a withdrawal, about one at a time, in the
 * transaction `db` that holds the contract; `wakeOutbox()` after it. The time to answer begins now.
 *
 * @returns whether they are asked now
 */
export async function askOwner(
  db: Database,
  row: WithdrawalRow,
  order: OrderRow,
  now: Date,
): Promise<boolean> {
  if (await isOwnerAsked(db, order.id)) return false;
  const due = answerEnd(now).toISOString();
  await updateOpenWithdrawal(db, row.id, { asked_at: now.toISOString(), effective_at: due });
  const parameters = {
    withdrawal: row.id,
    reference: order.reference,
    received: row.received_at,
    due,
  };
  const language = mailLanguage(order);
  for (const to of await ownAddresses(db, order)) {
    const applicationId = order.application_id;
    await queueMail(db, { kind: 'withdrawalAsked', to, language, applicationId, parameters }, now);
  }
  return true;
}

/** Who bought, and whose account the application is in. */
async function ownAddresses(db: Database, order: OrderRow): Promise<string[]> {
  const application = await findApplication(db, order.application_id);
  const user = await findUser(db, application?.user_id ?? 'none');
  const { email } = buyerOfOrder(order);
  const isSame = user === undefined || user.email_normalized === normalizeEmail(email);
  return isSame ? [email] : [email, user.email];
}

/** The two links of that mail; null: nobody has to answer any more. */
export async function askedContents(
  db: Database,
  { language, parameters }: { language: Language; parameters: Record<string, string> },
): Promise<MailContents | null> {
  const row = await findWithdrawal(db, parameters['withdrawal'] ?? '');
  const order = row?.order_id == null ? undefined : await findOrder(db, row.order_id);
  if (!row || !order || row.handled_at !== null) return null;
  const token = await issueToken(
    db,
    { purpose: 'answerWithdrawal', applicationId: order.application_id, payload: row.id },
    clockNow(),
  );
  const t = translator(language);
  const asked = ANSWERS.map((answer) => {
    const url = new URL('/withdrawal/answer', siteOrigin());
    url.search = new URLSearchParams({ token, answer, lng: language }).toString();
    return { answer, url: url.href };
  });
  return {
    sections: asked.map(({ answer, url }) => ({
      title: t(`mail:withdrawalAnswers.${answer}.title`),
      blocks: [
        { kind: 'paragraph', text: t(`mail:withdrawalAnswers.${answer}.text`) },
        { kind: 'paragraph', text: url },
      ],
    })),
    links: asked.map(({ url }) => url),
  };
}

/** The withdrawal that a link asks about, and its order; undefined if the link leads nowhere. */
export async function askedWithdrawal(
  db: Database,
  token: string,
  now: Date,
): Promise<{ row: WithdrawalRow; orderId: string } | undefined> {
  const hash = hashOfToken(token);
  const link = await findAnyToken(db, 'answerWithdrawal', hash);
  if (!link?.payload_sealed || link.expires_at <= now.toISOString()) return undefined;
  const row = await findWithdrawal(db, unseal(link.payload_sealed, payloadPlace(hash)));
  return row?.order_id == null ? undefined : { row, orderId: row.order_id };
}
