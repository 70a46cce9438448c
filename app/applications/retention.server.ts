import { subDays } from 'date-fns';

import { PICTURES } from '~/domain/application/requests';
import { audit, type AuditActor, SYSTEM } from '~/accounts/audit.server';
import { dayOf } from '~/clock.server';
import { NEVER_PAID, UNPAID } from '~/domain/application/states';
import { endsAt, ENDINGS, keepsLook, noticeLimits, UNPAID_PHOTO_DAYS } from '~/domain/retention';
import { queueMail } from '~/mail/outbox.server';
import { SealError } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { countDone, type SecureWrite, untilNone } from '~/until-none';
import type { Database } from '~db/schema';
import {
  deleteDocuments,
  listUnpaidPhotos,
  sumOfUnpaidPhotos,
} from '~db/queries/application-documents.server';
import {
  deleteApplicationIn,
  deleteContents,
  EMPTIED,
  emptyApplication,
  forgetMessagesOfApplication,
  holdIdle,
  isDue,
  isPurgedBefore,
  listDueNotices,
  listPurgedBefore,
  listNotNotified,
  listOverLooks,
  listIdle,
  noteNotified,
} from '~db/queries/application-retention.server';
import { findApplication, lockApplication } from '~db/queries/applications.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteUnpaidOrders, findOpenOrder } from '~db/queries/orders.server';
import { rowsIn } from '~db/queries/rows.server';
import { endApplicationLinks } from './links.server';
import { moveApplication } from './moves.server';
import { addresseeOf } from './address.server';

type EndKind = keyof typeof ENDINGS;

const limitsOf = (kind: EndKind, now: Date) =>
  noticeLimits(now, siteSettings()[ENDINGS[kind].days]);

/** Once, a week before it is deleted; who is told later has a week from then. */
export async function tellOwners(kind: EndKind, write: SecureWrite, now: Date): Promise<number> {
  const { told } = limitsOf(kind, now);
  const ids = await write((db) => listNotNotified(db, ENDINGS[kind], told));
  // Each in a transaction of its own: it holds back others who write to the same address.
  return countDone(ids, (id) => write((db) => tell(db, id, kind, now)));
}

async function tell(db: Database, id: string, kind: EndKind, now: Date): Promise<boolean> {
  const ending = ENDINGS[kind];
  const row = await lockApplication(db, id);
  const since = row?.[ending.since];
  // Its owner may have gone on meanwhile, or its outcome may have been corrected.
  if (!row || since == null || since > limitsOf(kind, now).told.toISOString()) return false;
  if (!(await noteNotified(db, row, ending, now))) return false;
  const due = endsAt(since, siteSettings()[ending.days], now.toISOString());
  const addressee = await addresseeOf(db, row).catch((error: unknown) => {
    // One that does not open keeps nobody else's application from its end.
    if (error instanceof SealError) return undefined;
    throw error;
  });
  const mail = addressee && {
    kind,
    ...addressee,
    parameters: { reference: row.reference, due: due.toISOString() },
    // Nobody asks for it: of what one client may cause, each application has its own share.
    ...(!addressee.userId && { unverified: { client: `application ${id}` } }),
  };
  const isQueued = mail !== undefined && (await queueMail(db, mail, now));
  // The address has had all the mails of a day, or does not open: an hour later it is tried again.
  if (!isQueued) await rowsIn(db).update('applications', { id }, { noticed_at: null }).execute();
  return isQueued;
}

/** Answers and documents go at once, the rows later: the owner reads what has become of them. */
export async function expireSome(db: Database, limit: Date, now: Date): Promise<number> {
  const set = { ...EMPTIED, draft_token_hash: null, purged_at: now.toISOString() };
  const by = { as: 'system', actor: SYSTEM, facts: { idle: true }, set } as const;
  const idle = await listIdle(db, ENDINGS.draftEnds, limitsOf('draftEnds', now));
  return countDone(idle, async (row) => {
    // Who saves it at this moment has touched it, or finds it closed.
    if (!(await holdIdle(db, row.id, limit)) || (await findOpenOrder(db, row.id))) return false;
    if (!(await moveApplication(db, row, 'expire', by, now)).moved) return false;
    await deleteContents(db, row.id);
    await endApplicationLinks(db, row.id);
    await insertDeletion(db, { subject: 'application', id: row.id, reason: 'expired' }, now);
    return true;
  });
}

export async function removeSome(db: Database, limit: Date, now: Date): Promise<number> {
  return countDone(await listPurgedBefore(db, limit), async (id) => {
    // What was paid at this moment, too late, or is held now comes first.
    await lockApplication(db, id);
    if (!(await isPurgedBefore(db, id, limit))) return false;
    await deleteUnpaidOrders(db, id);
    if (!(await deleteApplicationIn(db, id, NEVER_PAID))) return false;
    await endApplicationLinks(db, id);
    await forgetMessagesOfApplication(db, id);
    await insertDeletion(db, { subject: 'application', id, reason: 'retention' }, now);
    return true;
  });
}

export async function purgeSomeCases(db: Database, _: Date, now: Date): Promise<number> {
  const limits = limitsOf('caseEnds', now);
  return countDone(await listDueNotices(db, ENDINGS.caseEnds, limits), async (id) => {
    // Who corrects the outcome or holds it at this moment comes first, or finds it emptied.
    await lockApplication(db, id);
    if (!(await isDue(db, id, ENDINGS.caseEnds, limits))) return false;
    await purgeCase(db, id, { reason: 'retention', actor: SYSTEM }, now);
    return true;
  });
}

export async function endLooks(db: Database, _: Date, now: Date): Promise<number> {
  return countDone(await listOverLooks(db, dayOf(now)), async (id) => {
    const row = await lockApplication(db, id);
    if (!row?.look_on || row.hold_reason !== null) return false;
    await purgeCase(db, id, { reason: 'retention', actor: SYSTEM }, now);
    return true;
  });
}

/** The row stays for its orders. */
export async function purgeCase(
  db: Database,
  id: string,
  { reason, actor }: { reason: 'retention' | 'lost'; actor: AuditActor },
  now: Date,
): Promise<void> {
  const row = await findApplication(db, id);
  // What was ticked stays until the day after arrival: exactly what the look takes.
  const isLooked = reason === 'retention' && row !== undefined && keepsLook(row, dayOf(now));
  await deleteContents(db, id, isLooked);
  await emptyApplication(db, id, now, isLooked);
  await endApplicationLinks(db, id);
  await forgetMessagesOfApplication(db, id);
  await insertDeletion(db, { subject: 'application', id, reason }, now);
  await audit(db, actor, 'case.purged', ['application', id], now);
}

const MEGABYTE = 1_000_000;

export async function purgePhotos(write: SecureWrite, now: Date): Promise<number> {
  const limit = subDays(now, UNPAID_PHOTO_DAYS).toISOString();
  const ids = await write((db) => listUnpaidPhotos(db, limit));
  const photos = await countDone(ids, (id) => write((db) => removePhotoOf(db, id, limit, now)));
  return photos + (await makeRoomForPhotos(write, now));
}

/** Deletes the oldest: whoever fills the disk takes nothing from who comes later. */
export async function makeRoomForPhotos(write: SecureWrite, now: Date): Promise<number> {
  const most = siteSettings().unpaidPhotoMegabytes * MEGABYTE;
  return untilNone(async () => {
    const isRemoved = await write(async (db) => {
      if ((await sumOfUnpaidPhotos(db)) <= most) return false;
      const [oldest] = await listUnpaidPhotos(db);
      return oldest !== undefined && removePhotoOf(db, oldest, undefined, now);
    });
    return isRemoved ? 1 : 0;
  });
}

async function removePhotoOf(db: Database, id: string, savedBefore: string | undefined, now: Date) {
  // Who pays or saves it at this moment comes first.
  const row = await lockApplication(db, id);
  const isUnpaid = row?.hold_reason === null && UNPAID.includes(row.state);
  if (!isUnpaid || (savedBefore !== undefined && row.updated_at > savedBefore)) return false;
  if (!(await deleteDocuments(db, id, [...PICTURES, 'portrait_original']))) return false;
  const reason = savedBefore === undefined ? 'space' : 'retention';
  await insertDeletion(db, { subject: 'document', id, reason }, now);
  await audit(db, SYSTEM, 'document.removed', ['application', id], now, { reason });
  return true;
}
