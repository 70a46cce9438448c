import { redirect } from '@remix-run/node';

import type { OpenApplication } from '~/applications/access.server';
import { deleteApplication } from '~/applications/deletion.server';
import { forgetDrafts, keepDraft } from '~/applications/draft-cookie.server';
import { beginForNextTraveller } from '~/applications/family.server';
import { moveApplication } from '~/applications/moves.server';
import { now } from '~/clock.server';
import { eraseInDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { showToast } from '~/http/toast.server';
import type { ToastName } from '~/http/toasts';
import type { Language } from '~/i18n/languages';
import { wakeOutbox } from '~/mail/outbox.server';
import { askForRefund } from '~/orders/give-up.server';
import { requireClosedCheckout } from '~/orders/open-checkout.server';
import { findFulfilledOrder } from '~db/queries/orders.server';

/** What is asked about once more before it is done. */
export const QUESTIONS = ['delete', 'cancel'] as const;
export type Question = (typeof QUESTIONS)[number];

const actorOf = ({ owner }: OpenApplication) =>
  owner.kind === 'account'
    ? ({ kind: 'traveller', id: owner.userId } as const)
    : ({ kind: 'anybody' } as const);

/** Begins the application of the next traveller, and leads to its first step. */
export async function beginAnother(request: Request, open: OpenApplication, language: Language) {
  const { owner, row } = open;
  const { id, entry } = await requireDatabase(
    (db) => beginForNextTraveller(db, { id: row.id, owner, language }, now()),
    writeDatabase,
  );
  const cookies = entry ? [await keepDraft(request, entry)] : [];
  return leadTo(`/application/${id}/step-1`, cookies, 'applicationCopied');
}

/** Deletes the application and leads to those that are left; back to it if that cannot be done. */
export async function deleteOwn(request: Request, open: OpenApplication) {
  const { id } = open.row;
  // What was paid meanwhile is taken: then it may not be deleted any more.
  await requireDatabase(() => requireClosedCheckout(id, now()));
  const isDeleted = await requireDatabase(
    (db) => deleteApplication(db, id, actorOf(open), now()),
    eraseInDatabase,
  );
  if (!isDeleted) return redirect(`/application/${id}/overview`, 303);
  const cookies = open.owner.kind === 'browser' ? [await forgetDrafts(request, [id])] : [];
  return leadTo('/application-status', cookies, 'applicationDeleted');
}

/** Cancels the application, as far as the table of states lets its owner; what was paid is to go back. */
export async function cancelOwn(open: OpenApplication) {
  const { row } = open;
  const at = now();
  const goal = `/application/${row.id}/overview`;
  await requireDatabase(() => requireClosedCheckout(row.id, at));
  const isCancelled = await requireDatabase(async (db) => {
    const by = { as: 'owner', actor: actorOf(open), facts: {} } as const;
    const { moved } = await moveApplication(db, row, 'cancel', by, at);
    const order = moved && (await findFulfilledOrder(db, row.id));
    if (order) await askForRefund(db, order, { kind: 'cancellation' }, at);
    return moved !== undefined;
  }, writeDatabase);
  wakeOutbox();
  return isCancelled ? leadTo(goal, [], 'applicationCancelled') : redirect(goal, 303);
}

async function leadTo(path: string, cookies: readonly string[], toast: ToastName) {
  const headers = new Headers({ 'Set-Cookie': await showToast({ name: toast }) });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return redirect(path, { status: 303, headers });
}
