import { normalizeEmail } from '~/domain/accounts';
import { unsealColumn } from '~/sealing/seal.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { findUser } from '~db/queries/users.server';
import { accountOf, type MailKind, type Message, queueMail } from '~/mail/outbox.server';

export function applicationEmail(row: Pick<ApplicationRow, 'id' | 'email_sealed'>) {
  const address = unsealColumn('applications', row, 'email_sealed');
  return address === undefined ? undefined : normalizeEmail(address);
}

export async function isConfirmedAddress(db: Database, row: ApplicationRow): Promise<boolean> {
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  return user?.email_verified_at != null && normalizeEmail(user.email) === applicationEmail(row);
}

export async function addresseeOf(
  db: Database,
  row: ApplicationRow,
): Promise<Omit<Message, 'kind'> | undefined> {
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  const to = user ? user.email : applicationEmail(row);
  if (to === undefined) return undefined;
  const about = { applicationId: row.id, language: row.language_code };
  return user ? { ...accountOf(user), ...about } : { to, ...about };
}

/** Of a paid application; */
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
