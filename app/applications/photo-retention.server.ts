import { subDays } from 'date-fns';

import { audit } from '~/accounts/audit.server';
import { UNPAID_PHOTO_DAYS } from '~/domain/retention';
import { siteSettings } from '~/settings/settings.server';
import {
  deleteDocument,
  listUnpaidPhotos,
  sumOfUnpaidPhotos,
} from '~db/queries/application-documents.server';
import { UNPAID } from '~/domain/application/states';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { listDocumentChanges } from '~db/queries/audit-events.server';
import { insertDeletion } from '~db/queries/deletions.server';
import type { Database } from '~db/schema';

type Erase = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

const PHOTO = 'passport_photo';
const MEGABYTE = 1_000_000;

/**
 * Deletes the photos of applications that nobody has paid for: those whose application was not saved for
 * seven days, and as many of the oldest as are more than the settings keep. Any number of servers may do
 * it at once.
 *
 * @param erase runs work in a transaction; what it deletes is gone from the raw files too
 */
export async function purgePhotos(erase: Erase, now: Date): Promise<{ photos: number }> {
  const limit = subDays(now, UNPAID_PHOTO_DAYS).toISOString();
  const isDue = ({ updated_at }: ApplicationRow) => updated_at <= limit;
  let photos = 0;
  for (const id of await erase((db) => listUnpaidPhotos(db, limit))) {
    if (await erase((db) => remove(db, id, { reason: 'retention', isDue }, now))) photos += 1;
  }
  return { photos: photos + (await makeRoomForPhotos(erase, now)) };
}

/**
 * Deletes the oldest photos of unpaid applications until all of them together take no more than the
 * settings say. So whoever fills the disk takes nothing from who comes later.
 *
 * @returns how many there were
 */
export async function makeRoomForPhotos(erase: Erase, now: Date): Promise<number> {
  const most = siteSettings().unpaidPhotoMegabytes * MEGABYTE;
  const isDue = () => true;
  let photos = 0;
  for (;;) {
    const done = await erase(async (db) => {
      if ((await sumOfUnpaidPhotos(db)) <= most) return false;
      const [oldest] = await listUnpaidPhotos(db);
      return oldest !== undefined && remove(db, oldest, { reason: 'space', isDue }, now);
    });
    if (!done) return photos;
    photos += 1;
  }
}

interface Removal {
  reason: 'retention' | 'space';
  /** Whether it goes still, now that its application is locked. */
  isDue: (row: ApplicationRow) => boolean;
}

async function remove(
  db: Database,
  id: string,
  { reason, isDue }: Removal,
  now: Date,
): Promise<boolean> {
  // Who pays or saves it at this moment comes first.
  const row = await lockApplication(db, id);
  const isUnpaid = row?.hold_reason === null && UNPAID.includes(row.state);
  if (!isUnpaid || !isDue(row) || !(await deleteDocument(db, id, PHOTO))) return false;
  await insertDeletion(db, { subject: 'document', id, reason }, now);
  const details = { kind: PHOTO, reason };
  await audit(db, { kind: 'system' }, 'document.removed', ['application', id], now, details);
  return true;
}

/** How many photos an application has had, and whether the site itself has deleted the last one. */
export async function photoChanges(
  db: Database,
  applicationId: string,
): Promise<{ added: number; isGone: boolean }> {
  const changes = await listDocumentChanges(db, applicationId);
  const last = changes.at(-1);
  return {
    added: changes.filter(({ action }) => action === 'document.added').length,
    isGone: last?.action === 'document.removed' && last.actor_kind === 'system',
  };
}
