import { deleteApplication, listDeletableOf } from '~/applications/deletion.server';
import type { Language } from '~/i18n/languages';
import { addressIndexes, queueMail } from '~/mail/outbox.server';
import { deleteMessagesFrom } from '~/messages/messages.server';
import { deleteMessagesOf } from '~db/queries/account-records.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { type AuditActor, audit } from './audit.server';

/** In a transaction of `writeWithSecureDelete`. What may not be deleted stays, without its owner. */
export async function deleteTraveller(
  db: Database,
  user: { id: string; email: string; isVerified: boolean; language: Language },
  actor: AuditActor,
  at: Date,
): Promise<string[] | undefined> {
  const applications = await listDeletableOf(db, user.id);
  // Of two at once, one deletes it; the other has nothing left to do.
  if (!(await deleteUser(db, user.id))) return undefined;
  const deleted = [];
  for (const id of applications) if (await deleteApplication(db, id, actor, at)) deleted.push(id);
  await deleteMessagesFrom(db, user, at);
  await deleteMessagesOf(db, user.id, addressIndexes(user.email));
  // Names no account, so that it outlives this one; its address is sealed, and goes with the others.
  await queueMail(db, { kind: 'accountDeleted', to: user.email, language: user.language }, at);
  await insertDeletion(db, { subject: 'user', id: user.id, reason: 'owner' }, at);
  await audit(db, actor, 'account.deleted', ['user', user.id], at);
  return deleted;
}
