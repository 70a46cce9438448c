import { redirect } from '@remix-run/node';

import { recordEvent } from '~/accounts/audit.server';
import { forgetSession } from '~/accounts/session.server';
import { deleteApplicationsOf, listDeletableOf } from '~/applications/deletion.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase } from '~/database.server';
import { withProof } from '~/domain/security';
import { clearBrowser } from '~/http/clear-browser';
import { readForm } from '~/http/form.server';
import { showToast } from '~/http/toast.server';
import { addressIndexes, queueMail, wakeOutbox } from '~/mail/outbox.server';
import { deleteMessagesFrom } from '~/messages/retention.server';
import { requireClosedCheckout } from '~/orders/open-checkout.server';
import { deleteMessagesOf, insertDeletion } from '~db/queries/account-records.server';
import { deleteUser } from '~db/queries/users.server';
import { refuseUnproven } from './proof.server';
import { actorOf, refuseForm, type Visit } from './visit.server';

/**
 * Deletes a traveller's account and all that belongs to it. What stays: that it was deleted, and the
 * record of what was done, which has no name or address. Staff are removed by an admin.
 *
 * @throws {Response} 403 for staff; 503 if the database cannot be used, or the payment provider while an
 *   order waits for money
 */
export async function deleteAccount(visit: Visit) {
  const { session, sent } = visit;
  const { user } = session;
  if (user.kind !== 'traveller') throw new Response(null, { status: 403 });
  const read = readForm(sent, withProof([], session.hasFactor));
  if (read.errors) return refuseForm('delete', read);
  const refused = await refuseUnproven(visit, 'delete', read);
  if (refused) return refused;

  const at = now();
  // Whatever is paid until then is taken, and its application stays.
  for (const id of await requireDatabase((db) => listDeletableOf(db, user.id))) {
    await requireDatabase(() => requireClosedCheckout(id, at));
  }
  await requireDatabase(async (db) => {
    const applications = await listDeletableOf(db, user.id);
    // Of two at once, one deletes it; the other has nothing left to do.
    if (!(await deleteUser(db, user.id))) return;
    await deleteApplicationsOf(db, applications, user.id, at);
    await deleteMessagesFrom(db, user, at);
    await deleteMessagesOf(db, user.id, addressIndexes(user.email));
    // Names no account, so that it outlives this one; its address is sealed, and goes with the others.
    const language = user.language;
    await queueMail(db, { kind: 'accountDeleted', to: user.email, language }, at);
    await insertDeletion(db, { type: 'user', id: user.id, reason: 'owner' }, at);
    const subject = { type: 'user' as const, id: user.id };
    await recordEvent(db, { action: 'account.deleted', actor: actorOf(session), subject }, at);
  }, eraseInDatabase);
  wakeOutbox();
  const headers = new Headers({ 'Set-Cookie': forgetSession() });
  headers.append('Set-Cookie', await showToast({ name: 'accountDeleted' }));
  return redirect('/', { status: 303, headers: clearBrowser(headers) });
}
