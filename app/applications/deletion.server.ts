import { type AuditEvent, recordEvent } from '~/accounts/audit.server';
import type { ApplicationState } from '~/domain/application/states';
import type { Database } from '~db/schema';
import {
  deleteApplicationIn,
  forgetMessagesOfApplication,
} from '~db/queries/application-retention.server';
import { type ApplicationRow, listApplicationsOfUser } from '~db/queries/applications.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { endApplicationLinks } from './links.server';

/** Nothing was paid, or it has come to its end before anybody worked on it: the owner's alone. */
const DELETABLE: readonly ApplicationState[] = [
  'draft',
  'awaiting_payment',
  'cancelled',
  'expired',
];

/** Whether the owner of an application may delete it; never while it is held. */
export function isDeletable({ state, hold_reason }: Pick<ApplicationRow, 'state' | 'hold_reason'>) {
  return DELETABLE.includes(state) && hold_reason === null;
}

/**
 * Deletes an application as its owner wishes, in the transaction `db` of `eraseInDatabase`: its row,
 * answers, documents, links and waiting mails. That it was deleted, why and when stays, and what was
 * done to it, which has no name.
 *
 * @returns false if it may not be deleted, or is gone
 */
export async function deleteApplication(
  db: Database,
  id: string,
  actor: AuditEvent['actor'],
  now: Date,
): Promise<boolean> {
  if (!(await deleteApplicationIn(db, id, DELETABLE))) return false;
  await endApplicationLinks(db, id);
  await forgetMessagesOfApplication(db, id);
  await insertDeletion(db, { subject: 'application', id, reason: 'owner' }, now);
  await recordEvent(
    db,
    { action: 'application.deleted', actor, subject: { type: 'application', id } },
    now,
  );
  return true;
}

/** The applications that go with the account of their owner; ask before the account is deleted. */
export async function listDeletableOf(db: Database, userId: string): Promise<string[]> {
  const all = await listApplicationsOfUser(db, userId);
  return all.filter(isDeletable).map(({ id }) => id);
}

/** Deletes those of `listDeletableOf` with the account, in its transaction. */
export async function deleteApplicationsOf(
  db: Database,
  ids: readonly string[],
  userId: string,
  now: Date,
): Promise<void> {
  for (const id of ids) await deleteApplication(db, id, { kind: 'traveller', id: userId }, now);
}
