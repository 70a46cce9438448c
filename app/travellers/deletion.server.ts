import { redirect } from '@remix-run/node';

import { audit, type AuditActor } from '~/accounts/audit.server';
import { openForm, requireReauthentication, type Visit } from '~/accounts/security/visit.server';
import { forgetSession } from '~/accounts/session.server';
import { deleteApplication, listDeletableOf } from '~/applications/deletion.server';
import { now } from '~/clock.server';
import { requireDatabase, writeWithSecureDelete } from '~/database.server';
import { withReauth } from '~/domain/security';
import { clearBrowser } from '~/http/clear-browser';
import { settingCookies } from '~/http/cookies.server';
import { showToast } from '~/http/toast.server';
import type { Language } from '~/i18n/languages';
import { addressIndexes, queueMail } from '~/mail/outbox.server';
import { deleteMessagesFrom } from '~/messages/messages.server';
import { requireClosedCheckout } from '~/orders/checkout.server';
import { deleteMessagesOf } from '~db/queries/account-records.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';

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

/** @throws {Response} 403 for staff; 503 while an open order's payment provider is away */
export async function deleteAccount(visit: Visit) {
  const { user, hasFactor } = visit.session;
  if (user.kind !== 'traveller') throw new Response(null, { status: 403 });
  await requireReauthentication(visit, openForm(visit, 'delete', withReauth([], hasFactor)));

  const at = now();
  // Whatever is paid until then is taken, and its application stays.
  for (const id of await requireDatabase((db) => listDeletableOf(db, user.id))) {
    await requireDatabase(() => requireClosedCheckout(id, at));
  }
  await requireDatabase((db) => deleteTraveller(db, user, user, at), writeWithSecureDelete);
  const headers = settingCookies([forgetSession(), await showToast({ name: 'accountDeleted' })]);
  return redirect('/', { status: 303, headers: clearBrowser(headers) });
}
