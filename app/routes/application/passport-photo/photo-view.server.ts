import { PHOTO_STATES, photoOf, REMOVAL_STATES } from '~/applications/documents.server';
import { LEAST_PIXELS } from '~/applications/image';
import { photoChanges } from '~/applications/photo-retention.server';
import { mayAddPhoto } from '~/applications/requests.server';
import { requireDatabase } from '~/database.server';
import { DOCUMENT_DAYS, MOST_PHOTOS, UNPAID_PHOTO_DAYS } from '~/domain/retention';
import { formatFileSize, formatNumber, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { MOST_PHOTO_BYTES } from './refusal';
import { wayFrom } from './ways';

export type PhotoView = Awaited<ReturnType<typeof photoView>>;

/** What the owner may do with the photo. @throws {Response} 503 without a database */
export async function photoRights({ id, state }: Pick<ApplicationRow, 'id' | 'state'>) {
  const { photo, request, changes } = await requireDatabase(async (db) => ({
    photo: await photoOf(db, id),
    request: await findOpenRequest(db, id),
    changes: await photoChanges(db, id),
  }));
  const isUnpaid = PHOTO_STATES.includes(state);
  return {
    photo,
    mayChange: isUnpaid || mayAddPhoto({ state }, { hasPhoto: photo !== undefined, request }),
    /** It has had as many as an application may have that nobody has paid for. */
    isFull: isUnpaid && changes.added >= MOST_PHOTOS,
    /** We have deleted it, and it was not added again. */
    isGone: photo === undefined && changes.isGone,
  };
}

/**
 * What the page says, in words of `language`.
 *
 * @throws {Response} 503 without a database
 */
export async function photoView(
  row: Pick<ApplicationRow, 'id' | 'state'>,
  parameters: URLSearchParams,
  language: Language,
) {
  const { timeZone } = siteSettings();
  const { photo, mayChange, isGone } = await photoRights(row);
  return {
    /** The photo that is there, which is not shown. */
    photo: photo
      ? {
          received: formatShortInstant(photo.createdAt, language, timeZone),
          kind: photo.mediaType === 'image/jpeg' ? 'JPEG' : 'PNG',
          size: formatFileSize(photo.byteCount, language),
        }
      : null,
    isGone,
    mayChange,
    mayRemove: REMOVAL_STATES.includes(row.state),
    limits: {
      most: formatFileSize(MOST_PHOTO_BYTES, language),
      long: formatNumber(LEAST_PIXELS.long, language),
      short: formatNumber(LEAST_PIXELS.short, language),
      days: DOCUMENT_DAYS,
      unpaidDays: UNPAID_PHOTO_DAYS,
      photos: MOST_PHOTOS,
    },
    way: wayFrom(row.id, parameters),
  };
}
