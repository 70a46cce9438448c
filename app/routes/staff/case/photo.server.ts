import { photoOf } from '~/applications/documents.server';
import { requireDatabase } from '~/database.server';
import { caseAddress } from '~/desk/case-address.server';
import type { OpenCase } from '~/desk/open-case.server';
import { formatFileSize, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';

/** What may be told of the photo of the passport page before it is looked at, and where it is. */
export async function photoSection(open: OpenCase, language: Language) {
  const { row, rights } = open;
  if (rights.view !== 'full' || row.purged_at !== null) return undefined;
  const photo = await requireDatabase((db) => photoOf(db, row.id));
  if (!photo) return { isMissing: true as const };
  return {
    isMissing: false as const,
    address: caseAddress(open, {}, '/photo'),
    kind: photo.mediaType === 'image/jpeg' ? 'JPEG' : 'PNG',
    size: formatFileSize(photo.byteCount, language),
    received: formatShortInstant(photo.createdAt, language, siteSettings().timeZone),
  };
}
