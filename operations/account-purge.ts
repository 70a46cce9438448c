import { subSeconds } from 'date-fns';

import { SESSION_LIFETIMES, triesLimit, unconfirmedLimit } from '~/domain/accounts';
import type { Database } from '~db/schema';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteTokensBefore } from '~db/queries/one-time-tokens.server';
import { deleteSessionsBefore } from '~db/queries/sessions.server';
import { deleteTriesBefore } from '~db/queries/throttles.server';
import { deleteUnconfirmed, listUnconfirmedBefore } from '~db/queries/users.server';

/**
 * Deletes what has ended: sessions, links, the memory of tries, and accounts whose address nobody has
 * confirmed in 30 days, each with a line in `deletions`.
 *
 * @returns how many of each
 */
export async function purgeAccounts(db: Database, now: Date): Promise<Record<string, number>> {
  const sessions = await deleteSessionsBefore(db, {
    now,
    idleTraveller: subSeconds(now, SESSION_LIFETIMES.traveller.idle),
    idleStaff: subSeconds(now, SESSION_LIFETIMES.staff.idle),
  });
  const links = await deleteTokensBefore(db, now);
  const tries = await deleteTriesBefore(db, triesLimit(now));
  let accounts = 0;
  for (const id of await listUnconfirmedBefore(db, unconfirmedLimit(now))) {
    // Confirmed in the meantime, it stays.
    if (!(await deleteUnconfirmed(db, id))) continue;
    await insertDeletion(db, { subject: 'user', id, reason: 'unconfirmed' }, now);
    accounts += 1;
  }
  return { sessions, links, tries, accounts };
}
