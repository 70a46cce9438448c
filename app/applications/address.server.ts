import { normalizeEmail } from '~/domain/accounts';
import { unseal } from '~/sealing/seal.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { findUser } from '~db/queries/users.server';
import { accountOf, type MailKind, type Message, queueMail } from '~/mail/outbox.server';

/**
 * The email address in an application's answers, as addresses are compared.
 *
 * @returns undefined if there is none
 * @throws {SealError} if it does not open
 */
export function addressOf({
  id,
  email_sealed,
}: Pick<ApplicationRow, 'id' | 'email_sealed'>): string | undefined {
  if (email_sealed === null) return undefined;
  const place = { table: 'applications', row: id, field: 'email_sealed' };
  return normalizeEmail(unseal(email_sealed, place));
}

/**
 * The address to which everything about an order goes, if nobody has shown yet that mail arrives there
 * (live-mode.md, mail and jobs): before payment it is typed again.
 *
 * @returns undefined once it is confirmed: it is that of the account, which was confirmed by a link
 * @throws {SealError} if it does not open
 */
export async function unconfirmedAddress(
  db: Database,
  row: ApplicationRow,
): Promise<string | undefined> {
  const address = addressOf(row) ?? '';
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  const isConfirmed =
    user !== undefined && user.email_verified_at !== null && normalizeEmail(user.email) === address;
  return isConfirmed ? undefined : address;
}

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
