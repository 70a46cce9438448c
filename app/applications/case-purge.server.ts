import { type AuditActor, audit } from '~/accounts/audit.server';
import { caseEndOf, caseLimits, type NoticeLimits } from '~/domain/application/retention';
import { wakeOutbox } from '~/mail/outbox.server';
import { siteSettings } from '~/settings/settings.server';
import { untilNone } from '~/until-none';
import type { Database } from '~db/schema';
import {
  deleteContents,
  emptyApplication,
  forgetMessagesOfApplication,
} from '~db/queries/application-retention.server';
import { lockApplication } from '~db/queries/applications.server';
import { isDue, listDue, listEndedUntold, noteCaseTold } from '~db/queries/case-retention.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { queueEndNotice } from './end-notice.server';
import { endApplicationLinks } from './links.server';

type Erase = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Empties the applications that came to their end `caseDays` ago: answers, documents, notes, requests,
 * tasks and amendments go, and what the rows say of who travels. The rows stay for their orders. Seven
 * days before, the owner is told once; who is told later has seven days from then. What is held stays
 * as it is. Any number of servers may do it at once.
 *
 * @param erase runs work in a transaction; what it deletes is gone from the raw files too
 * @returns how many of each
 */
export async function purgeCases(
  erase: Erase,
  now: Date,
): Promise<{ cases: number; notices: number }> {
  const limits = caseLimits(now, siteSettings().caseDays);
  // Before anything goes: what is untold after this could not be told.
  let notices = 0;
  for (const id of await erase((db) => listEndedUntold(db, limits.told))) {
    // Each in a transaction of its own: it holds back others who write to the same address.
    if (await erase((db) => tell(db, id, limits.told, now))) notices += 1;
  }
  if (notices > 0) wakeOutbox();
  return { cases: await untilNone(() => erase((db) => purgeSome(db, limits, now))), notices };
}

async function purgeSome(db: Database, limits: NoticeLimits, now: Date): Promise<number> {
  let done = 0;
  for (const id of await listDue(db, limits)) {
    // Who corrects the outcome or holds it at this moment comes first, or finds it emptied.
    await lockApplication(db, id);
    if (!(await isDue(db, id, limits))) continue;
    await purgeCase(db, id, { reason: 'retention', actor: { kind: 'system' } }, now);
    done += 1;
  }
  return done;
}

/** Empties an application, in the transaction `db`; the row stays for its orders. */
export async function purgeCase(
  db: Database,
  id: string,
  { reason, actor }: { reason: 'retention' | 'lost'; actor: AuditActor },
  now: Date,
): Promise<void> {
  await deleteContents(db, id);
  await emptyApplication(db, id, now);
  await endApplicationLinks(db, id);
  await forgetMessagesOfApplication(db, id);
  await insertDeletion(db, { subject: 'application', id, reason }, now);
  await audit(db, actor, 'case.purged', ['application', id], now);
}

/** @returns whether a mail was queued */
async function tell(db: Database, id: string, since: Date, now: Date): Promise<boolean> {
  const row = await lockApplication(db, id);
  // Its outcome may have been corrected meanwhile.
  if (row?.closed_at == null || row.closed_at > since.toISOString()) return false;
  if (!(await noteCaseTold(db, row, now))) return false;
  const end = caseEndOf(new Date(row.closed_at), siteSettings().caseDays);
  return queueEndNotice(db, row, { kind: 'caseEnds', end }, now);
}
