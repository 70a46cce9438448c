import { type AuditActor, audit } from '~/accounts/audit.server';
import { DELETABLE } from '~/domain/application/states';
import type { Database } from '~db/schema';
import {
  deleteApplicationIn,
  deleteContents,
  emptyApplication,
  forgetMessagesOfApplication,
} from '~db/queries/application-retention.server';
import {
  type ApplicationRow,
  listApplicationsOfUser,
  lockApplication,
} from '~db/queries/applications.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteUnpaidOrders, findOpenOrder, hasPaidOrder } from '~db/queries/orders.server';
import { endApplicationLinks } from './links.server';

/** Never while it is held. One that was paid is emptied: there is nothing left to delete then. */
export function isDeletable({
  state,
  hold_reason,
  purged_at,
  look_on,
}: Pick<ApplicationRow, 'state' | 'hold_reason' | 'purged_at' | 'look_on'>) {
  const isEmptied = state !== 'expired' && purged_at !== null && look_on === null;
  return DELETABLE.includes(state) && hold_reason === null && !isEmptied;
}

/** In a transaction of `writeWithSecureDelete`; false if it may not be, or an order waits for money. */
export async function deleteApplication(db: Database, id: string, actor: AuditActor, now: Date) {
  // Who presses the order button at this moment waits, or has an order already.
  const row = await lockApplication(db, id);
  if (!row || !isDeletable(row) || (await findOpenOrder(db, id))) return false;
  await deleteUnpaidOrders(db, id);
  if (await hasPaidOrder(db, id)) {
    await deleteContents(db, id);
    await emptyApplication(db, id, now);
  } else {
    await deleteApplicationIn(db, id, DELETABLE);
  }
  await endApplicationLinks(db, id);
  await forgetMessagesOfApplication(db, id);
  await insertDeletion(db, { subject: 'application', id, reason: 'owner' }, now);
  await audit(db, actor, 'application.deleted', ['application', id], now);
  return true;
}

export const listDeletableOf = async (db: Database, userId: string): Promise<string[]> =>
  (await listApplicationsOfUser(db, userId)).filter(isDeletable).map(({ id }) => id);
