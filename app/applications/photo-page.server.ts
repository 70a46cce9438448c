import { actorOf, keptHere, requireApplication } from '~/applications/access.server';
import { photoChanges, photoOf } from '~/applications/documents.server';
import { LEAST_PIXELS, type ImageProblem } from '~/applications/image';
import { mayAddPhoto } from '~/applications/requests.server';
import { isPlaceWanted } from '~/applications/upload-places';
import { findOpenRequest } from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { requireDatabase } from '../database.server';
import { UNPAID } from '../domain/application/states';
import { DOCUMENT_DAYS, MOST_PHOTOS, UNPAID_PHOTO_DAYS } from '../domain/retention';
import { readUpload } from '../http/upload.server';
import { formatFileSize, formatNumber, formatShortInstant } from '../i18n/format.server';
import type { Language } from '../i18n/languages';
import { siteSettings } from '../settings/settings.server';
import type { Refusal } from '~/http/refusal';

export type PhotoView = Awaited<ReturnType<typeof photoView>>;

/** What the owner may do with the photo. */
export async function photoRights({ id, state }: Pick<ApplicationRow, 'id' | 'state'>) {
  const { photo, request, changes } = await requireDatabase(async (db) => ({
    photo: await photoOf(db, id),
    request: await findOpenRequest(db, id),
    changes: await photoChanges(db, id),
  }));
  const isUnpaid = UNPAID.includes(state);
  return {
    photo,
    mayChange: isUnpaid || mayAddPhoto({ state }, { hasPhoto: photo !== undefined, request }),
    isFull: isUnpaid && changes.added >= MOST_PHOTOS,
    isGone: photo === undefined && changes.isGone,
  };
}

export async function photoView(
  row: Pick<ApplicationRow, 'id' | 'state'>,
  parameters: URLSearchParams,
  language: Language,
) {
  const { timeZone } = siteSettings();
  const { photo, mayChange, isGone } = await photoRights(row);
  return {
    photo: photo
      ? {
          received: formatShortInstant(photo.createdAt, language, timeZone),
          kind: photo.mediaType === 'image/jpeg' ? 'JPEG' : 'PNG',
          size: formatFileSize(photo.byteCount, language),
        }
      : null,
    isGone,
    mayChange,
    mayRemove: row.state === 'draft',
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

/** @throws {Response} 404, also for who has opened its state alone; 503 without a database */
export async function openForPhoto(request: Request, id: string | undefined) {
  const open = await requireApplication(request, id);
  const cookies = await keptHere(request, open);
  return { row: open.row, actor: actorOf(open.owner), cookies };
}

/** What a form sends that takes no more photos: the name of its button. */
const BUTTON_BYTES = 64;

/**
 * What was sent; undefined: remove the photo. @throws {Response} 400 for another body; 408 if it is
 * slow
 */
export async function readPhotoForm(
  request: Request,
  isFull: boolean,
): Promise<{ content: Uint8Array[] } | { problem: PhotoProblem | 'tooOften' } | undefined> {
  const mostBytes = isFull ? BUTTON_BYTES : MOST_PHOTO_BYTES;
  const upload = await readUpload(request, ['photo', 'intent'], mostBytes, isPlaceWanted);
  const intent = upload === 'tooLarge' ? 'upload' : (upload.intent?.text ?? 'upload');
  if (intent === 'remove') return undefined;
  if (intent !== 'upload') throw new Response(null, { status: 400 });
  if (isFull) return { problem: 'tooOften' };
  if (upload === 'tooLarge') return { problem: 'tooLarge' };
  const { photo } = upload;
  // With no file chosen, browsers send an empty one without a name.
  const isFile = photo?.filename !== undefined && (photo.size > 0 || photo.filename !== '');
  return isFile ? { content: photo.content } : { problem: 'required' };
}

interface Way {
  to: 'check' | 'step' | 'respond' | 'overview';
  href: string;
}

export function wayFrom(applicationId: string, parameters: URLSearchParams): Way {
  const from = parameters.get('return') ?? '';
  const pageOf = (name: string) => `/application/${applicationId}/${name}`;
  if (from === 'check') return { to: 'check', href: pageOf('step-8') };
  if (from === 'respond') return { to: 'respond', href: pageOf('respond') };
  if (/^step-[1-7]$/.test(from)) return { to: 'step', href: pageOf(from) };
  return { to: 'overview', href: pageOf('overview') };
}

export type PhotoProblem = ImageProblem | 'required' | 'tooLarge';

/** In bytes, of the file as it is chosen. */
export const MOST_PHOTO_BYTES = 8 * 1024 * 1024;

/** Why the server, or a proxy, led back to the page (`tellsOnPage` of `server/intake.ts`). */
export function problemOfServer(status: string | null): Refusal | undefined {
  return status === '413'
    ? { problem: 'invalid', errors: { photo: 'tooLarge' }, values: {} }
    : undefined;
}
