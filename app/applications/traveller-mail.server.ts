import { languageOfUser } from '~/accounts/user-language';
import { DEFAULT_LANGUAGE, type Language, toLanguage } from '~/i18n/languages';
import { type MailKind, queueMail } from '~/mail/outbox.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { addressOf } from './address.server';

/** Whom an application's mails go to. */
export interface Traveller {
  /** Undefined: there is no address any more. */
  to: string | undefined;
  language: Language;
  userId?: string;
}

/**
 * The traveller of a paid application: the account that it belongs to, or the address in its answers;
 * in the language of the account or the application.
 *
 * @throws {SealError} if the address does not open
 */
export async function travellerOf(db: Database, row: ApplicationRow): Promise<Traveller> {
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  if (user) return { to: user.email, language: languageOfUser(user), userId: user.id };
  return { to: addressOf(row), language: toLanguage(row.language_code) ?? DEFAULT_LANGUAGE };
}

/**
 * Queues a mail to the traveller of an application, in the transaction `db` of what it tells about;
 * `wakeOutbox()` after it. It says the reference, and nothing of the answers.
 */
export async function tellTraveller(
  db: Database,
  row: ApplicationRow,
  kind: MailKind,
  parameters: Record<string, string>,
  now: Date,
): Promise<void> {
  const { to, language, userId } = await travellerOf(db, row);
  if (to === undefined) return;
  await queueMail(
    db,
    {
      kind,
      to,
      language,
      applicationId: row.id,
      ...(userId !== undefined && { userId }),
      parameters: { reference: row.reference, application: row.id, ...parameters },
    },
    now,
  );
}
