import { subSeconds } from 'date-fns';

import { SESSION_LIFETIMES, triesLimit, unconfirmedLimit } from '~/domain/accounts';
import { untilNone } from '~/until-none';
import type { Database } from '~db/schema';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteTokensBefore } from '~db/queries/one-time-tokens.server';
import { deleteSessionsBefore } from '~db/queries/sessions.server';
import { deleteTriesBefore } from '~db/queries/throttles.server';
import { deleteUnconfirmed, listUnconfirmedBefore } from '~db/queries/users.server';
import type { Erase } from './jobs';

/**
 * Deletes what has ended: sessions, links, the memory of tries, and accounts whose address nobody has
 * confirmed in 30 days, each with a line in `deletions`.
 *
 * @returns how many of each
 */
export async function purgeAccounts(erase: Erase, now: Date): Promise<Record<string, number>> {
  const all = (part: (db: Database) => Promise<number>) => untilNone(() => erase(part));
  const ended = {
    now,
    idleTraveller: subSeconds(now, SESSION_LIFETIMES.traveller.idle),
    idleStaff: subSeconds(now, SESSION_LIFETIMES.staff.idle),
  };
  return {
    sessions: await all((db) => deleteSessionsBefore(db, ended)),
    links: await all((db) => deleteTokensBefore(db, now)),
    tries: await all((db) => deleteTriesBefore(db, triesLimit(now))),
    accounts: await all((db) => purgeSome(db, now)),
  };
}

async function purgeSome(db: Database, now: Date): Promise<number> {
  let accounts = 0;
  for (const id of await listUnconfirmedBefore(db, unconfirmedLimit(now))) {
    // Confirmed in the meantime, it stays.
    if (!(await deleteUnconfirmed(db, id))) continue;
    await insertDeletion(db, { subject: 'user', id, reason: 'unconfirmed' }, now);
    accounts += 1;
  }
  return accounts;
}
