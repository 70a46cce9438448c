import { officialFeeContents } from '~/desk/case-mail.server';
import type { Language } from '~/i18n/languages';
import { reminderContents } from '~/leads/reminders.server';
import { answerContents } from '~/messages/answer-contents.server';
import { askedContents } from '~/orders/withdrawals.server';
import { confirmationContents } from '~/orders/contract.server';
import type { Database } from '~db/schema';
import type { MailKind } from './messages';
import type { MailContents } from './sections';

interface About {
  language: Language;
  parameters: Record<string, string>;
}

/** The kinds of mail that say more than their words and parameters; null: it is gone. */
const LOADERS: Partial<
  Record<MailKind, (db: Database, about: About) => Promise<MailContents | null>>
> = {
  orderConfirmation: confirmationContents,
  feeDue: officialFeeContents,
  feeReminder: officialFeeContents,
  messageAnswer: answerContents,
  reminder: reminderContents,
  reminderOfAccount: reminderContents,
  withdrawalAsked: askedContents,
};

/**
 * What a mail says besides its words, read in the transaction `db` in which it is rendered.
 *
 * @returns undefined if its kind says nothing more, null if what it tells about is gone
 */
export async function contentsOf(
  db: Database,
  kind: MailKind,
  about: About,
): Promise<MailContents | undefined | null> {
  return LOADERS[kind]?.(db, about);
}
