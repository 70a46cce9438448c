import { redirect } from '@remix-run/node';

import { forgetSession } from '~/accounts/session.server';
import { deleteTraveller } from '~/accounts/traveller-deletion.server';
import { listDeletableOf } from '~/applications/deletion.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase } from '~/database.server';
import { withProof } from '~/domain/security';
import { clearBrowser } from '~/http/clear-browser';
import { readForm } from '~/http/form.server';
import { showToast } from '~/http/toast.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { requireClosedCheckout } from '~/orders/open-checkout.server';
import { refuseUnproven } from './proof.server';
import { actorOf, refuseForm, type Visit } from './visit.server';

/**
 * Deletes a traveller's account and all that belongs to it. Staff are removed by an admin.
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
  await requireDatabase((db) => deleteTraveller(db, user, actorOf(session), at), eraseInDatabase);
  wakeOutbox();
  const headers = new Headers({ 'Set-Cookie': forgetSession() });
  headers.append('Set-Cookie', await showToast({ name: 'accountDeleted' }));
  return redirect('/', { status: 303, headers: clearBrowser(headers) });
}
