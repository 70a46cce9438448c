import { expiryLimits, expiryOf, type NoticeLimits } from '~/domain/application/retention';
import { wakeOutbox } from '~/mail/outbox.server';
import { siteSettings } from '~/settings/settings.server';
import { untilNone } from '~/until-none';
import type { Database } from '~db/schema';
import {
  deleteApplicationIn,
  deleteContents,
  EMPTIED,
  forgetMessagesOfApplication,
  holdUntouched,
  isPurgedBefore,
  listPurgedBefore,
  listUntold,
  listUntouched,
  noteEndTold,
} from '~db/queries/application-retention.server';
import { NEVER_PAID } from '~/domain/application/states';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteUnpaidOrders, findOpenOrder } from '~db/queries/orders.server';
import { queueEndNotice } from './end-notice.server';
import { endApplicationLinks } from './links.server';
import { moveApplication } from './moves.server';

type Erase = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Ends the applications that nobody has paid for and nobody has touched for the days of the settings:
 * their answers and documents go at once, their rows 30 days later, so that the owner still reads what
 * has become of them; the rows of unpaid cancelled ones go 30 days after they were emptied, too. Seven
 * days before, the owner is told once; who is told later has seven days from then. What is held stays
 * as it is.
 *
 * Any number of servers may do this at once, while owners go on with their applications.
 *
 * @param erase runs work in a transaction; what it deletes is gone from the raw files too
 * @returns how many of each
 */
export async function expireApplications(
  erase: Erase,
  now: Date,
): Promise<{ expired: number; notices: number; removed: number }> {
  const limits = expiryLimits(now, siteSettings().draftDays);
  // Before anything goes: what is untold after this could not be told.
  let notices = 0;
  for (const id of await erase((db) => listUntold(db, limits.told))) {
    // Each in a transaction of its own: it holds back others who write to the same address.
    if (await erase((db) => tell(db, id, limits.told, now))) notices += 1;
  }
  if (notices > 0) wakeOutbox();
  const expired = await untilNone(() => erase((db) => expireSome(db, limits, now)));
  const removed = await untilNone(() => erase((db) => removeSome(db, limits.removed, now)));
  return { expired, notices, removed };
}

async function expireSome(db: Database, limits: NoticeLimits, now: Date): Promise<number> {
  let done = 0;
  for (const row of await listUntouched(db, limits)) {
    if (await expire(db, row, limits.ends, now)) done += 1;
  }
  return done;
}

async function expire(db: Database, row: ApplicationRow, limit: Date, now: Date): Promise<boolean> {
  // Who saves it at this moment has touched it, or finds it closed.
  if (!(await holdUntouched(db, row.id, limit))) return false;
  if (await findOpenOrder(db, row.id)) return false;
  const { moved } = await moveApplication(
    db,
    row,
    'expire',
    {
      as: 'system',
      actor: { kind: 'system' },
      facts: { untouched: true },
      set: { ...EMPTIED, draft_token_hash: null, purged_at: now.toISOString() },
    },
    now,
  );
  if (!moved) return false;
  await deleteContents(db, row.id);
  await endApplicationLinks(db, row.id);
  await insertDeletion(db, { subject: 'application', id: row.id, reason: 'expired' }, now);
  return true;
}

async function removeSome(db: Database, limit: Date, now: Date): Promise<number> {
  let done = 0;
  for (const id of await listPurgedBefore(db, limit)) {
    // What was paid at this moment, too late, or is held now comes first.
    await lockApplication(db, id);
    if (!(await isPurgedBefore(db, id, limit))) continue;
    await deleteUnpaidOrders(db, id);
    if (!(await deleteApplicationIn(db, id, NEVER_PAID))) continue;
    await endApplicationLinks(db, id);
    await forgetMessagesOfApplication(db, id);
    await insertDeletion(db, { subject: 'application', id, reason: 'retention' }, now);
    done += 1;
  }
  return done;
}

/** @returns whether a mail was queued */
async function tell(db: Database, id: string, since: Date, now: Date): Promise<boolean> {
  const row = await lockApplication(db, id);
  // Its owner may have gone on meanwhile.
  if (!row || row.updated_at > since.toISOString()) return false;
  if (!(await noteEndTold(db, row, now))) return false;
  const end = expiryOf(row.updated_at, siteSettings().draftDays);
  return queueEndNotice(db, row, { kind: 'draftEnds', end }, now);
}
