import type { ToastName } from '~/http/toasts';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { queueResumeLink } from './links.server';

/** What came of the link to come back by; undefined where none is needed. */
type LaterLink = Awaited<ReturnType<typeof queueResumeLink>> | undefined;

/**
 * Sends the link to a draft that was just saved for later, in the transaction `db`; `wakeOutbox()` after
 * it. An account needs none: its applications are there.
 */
export async function queueLaterLink(
  db: Database,
  { id, user_id: userId }: Pick<ApplicationRow, 'id' | 'user_id'>,
  client: string,
  now: Date,
): Promise<LaterLink> {
  if (userId !== null) return undefined;
  // As it is now: the address to write to may have been saved in this transaction.
  const row = await findApplication(db, id);
  return row && queueResumeLink(db, row, client, now);
}

/** What is said after Save and come back later. */
export function laterToast(link: LaterLink): ToastName {
  if (link === undefined) return 'applicationSaved';
  const toasts = {
    sent: 'applicationLinkSent',
    tooMany: 'applicationLinksTooMany',
    noAddress: 'applicationKeptHere',
  } as const;
  return toasts[link];
}
