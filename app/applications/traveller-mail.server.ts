import { mailLanguage } from '~/mail/language';
import { type MailKind, queueMail } from '~/mail/outbox.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { addressOf } from './address.server';

/**
 * Queues a mail to the traveller of a paid application, in the transaction `db` of what it tells about;
 * `wakeOutbox()` after it. It goes to the account that the application belongs to, or to the address in
 * its answers, if that is still there; it says the reference, and nothing of the answers.
 *
 * @throws {SealError} if the address does not open
 */
export async function tellTraveller(
  db: Database,
  row: ApplicationRow,
  kind: MailKind,
  parameters: Record<string, string>,
  now: Date,
): Promise<void> {
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  const to = user ? user.email : addressOf(row);
  if (to === undefined) return;
  await queueMail(
    db,
    {
      kind,
      to,
      language: mailLanguage(row),
      applicationId: row.id,
      ...(user && { userId: user.id }),
      parameters: { reference: row.reference, application: row.id, ...parameters },
    },
    now,
  );
}
