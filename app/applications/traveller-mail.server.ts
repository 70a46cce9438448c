import { accountOf, type MailKind, type Message, queueMail } from '~/mail/outbox.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { addressOf } from './address.server';

/**
 * Whom a mail about an application goes to: the account that it belongs to, or the address in its
 * answers; undefined if that is gone. Always in the language of the application.
 *
 * @throws {SealError} if the address does not open
 */
export async function addresseeOf(
  db: Database,
  row: ApplicationRow,
): Promise<Omit<Message, 'kind'> | undefined> {
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  const to = user ? user.email : addressOf(row);
  if (to === undefined) return undefined;
  const about = { applicationId: row.id, language: row.language_code };
  return user ? { ...accountOf(user), ...about } : { to, ...about };
}

/**
 * Queues a mail to the traveller of a paid application, in the transaction `db` of what it tells about;
 * `wakeOutbox()` after it. It says the reference, and nothing of the answers.
 *
 * @throws {SealError} if the address does not open
 */
export async function tellTraveller(
  db: Database,
  row: ApplicationRow,
  kind: MailKind,
  said: Record<string, string>,
  now: Date,
): Promise<void> {
  const addressee = await addresseeOf(db, row);
  const parameters = { reference: row.reference, application: row.id, ...said };
  if (addressee) await queueMail(db, { kind, ...addressee, parameters }, now);
}
