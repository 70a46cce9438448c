import { PHOTO_STATES, photoOf, REMOVAL_STATES } from '~/applications/documents.server';
import { mayAddPhoto } from '~/applications/requests.server';
import { LEAST_PIXELS } from '~/applications/image-parts';
import { requireDatabase } from '~/database.server';
import { DOCUMENT_DAYS } from '~/domain/retention';
import { formatFileSize, formatNumber, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { MOST_PHOTO_BYTES } from './refusal';
import { wayFrom } from './ways';

export type PhotoView = Awaited<ReturnType<typeof photoView>>;

/**
 * What the page says, in words of `language`.
 *
 * @throws {Response} 503 without a database
 */
export async function photoView(
  { id, state }: Pick<ApplicationRow, 'id' | 'state'>,
  parameters: URLSearchParams,
  language: Language,
) {
  const { timeZone } = siteSettings();
  const { photo, request } = await requireDatabase(async (db) => ({
    photo: await photoOf(db, id),
    request: await findOpenRequest(db, id),
  }));
  const isWanted = mayAddPhoto({ state }, { hasPhoto: photo !== undefined, request });
  return {
    /** The photo that is there, which is not shown. */
    photo: photo
      ? {
          received: formatShortInstant(photo.createdAt, language, timeZone),
          kind: photo.mediaType === 'image/jpeg' ? 'JPEG' : 'PNG',
          size: formatFileSize(photo.byteCount, language),
        }
      : null,
    mayChange: PHOTO_STATES.includes(state) || isWanted,
    mayRemove: REMOVAL_STATES.includes(state),
    limits: {
      most: formatFileSize(MOST_PHOTO_BYTES, language),
      long: formatNumber(LEAST_PIXELS.long, language),
      short: formatNumber(LEAST_PIXELS.short, language),
      days: DOCUMENT_DAYS,
    },
    way: wayFrom(id, parameters),
  };
}
