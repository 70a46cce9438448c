import { json, redirect } from '@remix-run/node';
import type { Params } from '@remix-run/react';

import { ANYBODY, type AuditActor } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { isPortraitRequired } from '~/facts.server';
import { currentRequest } from '~/current-app.server';
import { requireDatabase } from '~/database.server';
import { normalisePassportNumber } from '~/domain/application/passport-shapes';
import { type Picture, picturePage, TICKS } from '~/domain/application/requests';
import { UNPAID } from '~/domain/application/states';
import { DOCUMENT_DAYS, MOST_PHOTOS, UNPAID_PHOTO_DAYS } from '~/domain/retention';
import { siteOrigin } from '~/env.server';
import { refuse, type Refusal } from '~/http/form.server';
import { leadTo } from '~/http/toast.server';
import { readUpload } from '~/http/upload.server';
import type { Language } from '~/i18n/languages';
import { formatFileSize, formatNumber, formatShortInstant, languageOf } from '~/i18n/locale.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { actorOf, requireApplication, touchCookie } from './access.server';
import { savedAnswers } from './answers.server';
import { photoChanges, removePhoto, savePhoto } from './documents.server';
import { beginHandOver, openHandOver } from './hand-over.server';
import { type ImageProblem, LEAST_PIXELS, PORTRAIT_WARNINGS } from './image';
import { missingPictures, picturesOf } from './pictures.server';
import { reencode } from './re-encode.server';
import { mayAddPhoto } from './requests.server';
import { isPlaceWanted } from './upload-places';

export type PhotoPageView = Awaited<ReturnType<typeof photoView>>;

export async function photoRights(
  { id, state }: Pick<ApplicationRow, 'id' | 'state'>,
  kind: Picture,
) {
  const { photo, missing, request, changes } = await requireDatabase(async (db) => ({
    photo: (await picturesOf(db, id))[kind],
    missing: await missingPictures(db, id),
    request: await findOpenRequest(db, id),
    changes: await photoChanges(db, id),
  }));
  const isUnpaid = UNPAID.includes(state);
  return {
    photo,
    missing,
    mayChange: isUnpaid || mayAddPhoto({ state }, { kind, hasPhoto: photo !== undefined, request }),
    isFull: isUnpaid && changes.added >= MOST_PHOTOS,
    isGone: photo === undefined && changes.isGone,
  };
}

export async function photoView(
  row: Pick<ApplicationRow, 'id' | 'state'>,
  kind: Picture,
  parameters: URLSearchParams,
  language: Language,
) {
  const { photo, missing, mayChange, isGone } = await photoRights(row, kind);
  // Whoever has a code for the portrait opens no answers.
  const isCompared = kind === 'passport_photo' && mayChange;
  const saved = isCompared && (await requireDatabase((db) => savedAnswers(db, row.id)));
  const number = saved && saved.all[2]?.['passport_number'];
  return {
    /** With which the page compares what it reads in the picture, on the device. */
    ...(number && { number: normalisePassportNumber(number) }),
    photo: photo
      ? {
          received: formatShortInstant(photo.createdAt, language),
          kind: photo.mediaType === 'image/jpeg' ? 'JPEG' : 'PNG',
          size: formatFileSize(photo.byteCount, language),
        }
      : null,
    kind,
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
    way: wayFrom(row.id, parameters, kind === 'passport_photo' ? missing : []),
    isMissing: photo === undefined,
  };
}

/** For its owner, or who has the code of a hand-over; undefined once that is good no more. */
export async function openForPhoto(
  request: Request,
  { id, code }: Params,
): Promise<OpenForPhoto | undefined> {
  const isPortrait = code !== undefined || new URL(request.url).pathname.endsWith('/portrait');
  if (isPortrait && !(await requireDatabase(isPortraitRequired))) {
    throw new Response(null, { status: 404 });
  }
  const kind = isPortrait ? 'portrait' : 'passport_photo';
  if (code !== undefined) {
    const { row, hash, isSpent } = (await openHandOver(code, now())) ?? {};
    return row && { row, kind, actor: ANYBODY, cookies: [], code: hash, isSpent };
  }
  const open = await requireApplication(request, id);
  const cookies = await touchCookie(request, open);
  return { row: open.row, kind, actor: actorOf(open.owner), cookies };
}

export interface OpenForPhoto {
  row: ApplicationRow;
  kind: Picture;
  actor: AuditActor;
  cookies: string[];
  code?: string | undefined;
  isSpent?: boolean | undefined;
}

interface SentPhoto {
  content: Uint8Array[];
  original: Uint8Array[] | undefined;
  warnings: readonly string[];
}

type Refused = { problem: PhotoProblem | 'tooOften' | 'failed'; ticked?: readonly string[] };

const PARTS = ['photo', 'taken', 'original', 'warnings', 'intent', ...TICKS] as const;

export const MOST_BUTTON_BODY = 4096;
export const BUSY = { 'Retry-After': '5' };

/** What a form sends that takes no more photos: the name of its button. */
const BUTTON_BYTES = 64;

async function readPhotoForm(
  request: Request,
  kind: Picture,
  isFull: boolean,
): Promise<SentPhoto | Refused | 'remove' | 'hand-over'> {
  const mostBytes = isFull ? BUTTON_BYTES : MOST_PHOTO_BYTES;
  const upload = await readUpload(request, PARTS, mostBytes, isPlaceWanted);
  const intent = upload === 'tooLarge' ? 'upload' : (upload.intent?.text ?? 'upload');
  if (intent === 'remove' || intent === 'hand-over') return intent;
  if (intent !== 'upload') throw new Response(null, { status: 400 });
  if (isFull) return { problem: 'tooOften' };
  if (upload === 'tooLarge') return { problem: 'tooLarge' };
  // With no file chosen, browsers send an empty one without a name.
  const photo = [upload.photo, upload.taken].find(
    (part) => part?.filename !== undefined && (part.size > 0 || part.filename !== ''),
  );
  if (!photo) return { problem: 'required' };
  if (kind !== 'portrait') return { content: photo.content, original: undefined, warnings: [] };
  const ticked = TICKS.filter((tick) => upload[tick]);
  if (ticked.length < TICKS.length) return { problem: 'ticks', ticked };
  const said = upload.warnings?.text.split(' ') ?? [];
  return {
    content: photo.content,
    original: upload.original && upload.original.size > 0 ? upload.original.content : undefined,
    warnings: PORTRAIT_WARNINGS.filter((code) => said.includes(code)),
  };
}

export async function takePhoto(
  request: Request,
  { row: { id }, kind, actor, cookies, code }: OpenForPhoto,
  isFull: boolean,
) {
  const sent = await readPhotoForm(request, kind, isFull);
  if (sent === 'hand-over' && kind === 'portrait' && !code) return handOver(request, id);
  if (sent === 'hand-over' || (sent === 'remove' && code)) {
    throw new Response(null, { status: 400 });
  }
  if (sent !== 'remove' && 'problem' in sent) return refuseFor(sent);
  const change = { applicationId: id, kind, actor, code };
  const result =
    sent === 'remove' ? await removePhoto(change, now()) : await saveSent(sent, change);
  if (typeof result !== 'string') return refuseFor(result);
  if (result === 'closed') return refuse('closed', {});
  if (code) return redirect(new URL(request.url).pathname, 303);
  return onwards(request, { id, kind, isRemoval: sent === 'remove', cookies });
}

async function handOver(request: Request, id: string) {
  const language = await languageOf(request);
  const { expiresAt, ...shown } = await beginHandOver(id, siteOrigin(), now());
  return json({ handOver: { ...shown, until: formatShortInstant(expiresAt, language) } });
}

async function saveSent(
  { content, original, warnings }: SentPhoto,
  change: Parameters<typeof savePhoto>[1],
) {
  const image = await reencode(content);
  if ('problem' in image) return image;
  const whole = original && (await reencode(original));
  const kept = whole && 'bytes' in whole ? whole : undefined;
  return savePhoto({ image, original: kept, warnings }, change, now());
}

function refuseFor({ problem, ticked = [] }: Refused) {
  if (problem === 'failed') currentRequest()?.refuse('a photo that could not be made anew');
  if (problem === 'failed') return refuse('away', {}, { status: 503, headers: BUSY });
  if (problem === 'tooOften') return refuse(problem, {});
  const typed = Object.fromEntries(ticked.map((tick) => [tick, 'yes']));
  const open = problem === 'ticks' ? TICKS.filter((tick) => !ticked.includes(tick)) : ['photo'];
  return refuse(problem === 'ticks' ? problem : 'invalid', {
    typed,
    errors: Object.fromEntries(open.map((name) => [name, problem])),
  });
}

type Done = { id: string; kind: Picture; isRemoval: boolean; cookies: string[] };

/** Leads on once it is done: who came to answer something goes on with that; others see that it is here. */
async function onwards(request: Request, { id, kind, isRemoval, cookies }: Done) {
  const { pathname, search, searchParams } = new URL(request.url);
  const missing = kind === 'portrait' ? [] : await requireDatabase((db) => missingPictures(db, id));
  const way = wayFrom(id, searchParams, missing);
  // What was refused before is none of the next page's matters.
  searchParams.delete('refused');
  const here = pathname + (search && searchParams.size > 0 ? `?${searchParams}` : '');
  const isAnswer = ['check', 'respond'].includes(searchParams.get('return') ?? '');
  const goal = !isRemoval && isAnswer ? way.href : here;
  const kept = kind === 'portrait' ? 'portraitKept' : 'photoKept';
  return leadTo(goal, cookies, isRemoval ? 'photoRemoved' : kept);
}

type Way = { to: 'check' | 'portrait' | 'step' | 'respond' | 'overview'; href: string };

function wayFrom(
  applicationId: string,
  parameters: URLSearchParams,
  missing: readonly Picture[] = [],
): Way {
  const from = parameters.get('return') ?? '';
  const pageOf = (name: string) => `/application/${applicationId}/${name}`;
  if (['', 'check'].includes(from) && missing.includes('portrait')) {
    return { to: 'portrait', href: pageOf(picturePage('portrait')) + (from && `?return=${from}`) };
  }
  if (from === 'check') return { to: 'check', href: pageOf('step-8') };
  if (from === 'respond') return { to: 'respond', href: pageOf('respond') };
  if (/^step-[1-7]$/.test(from)) return { to: 'step', href: pageOf(from) };
  return { to: 'overview', href: pageOf('overview') };
}

export type PhotoProblem = ImageProblem | 'required' | 'tooLarge' | 'ticks';

const MOST_PHOTO_BYTES = 8 * 1024 * 1024;

/** Why the server, or a proxy, led back to the page (`tellsOnPage` of `server/intake.ts`). */
export const problemOfServer = (status: string | null): Refusal | undefined =>
  status === '413' ? { problem: 'invalid', errors: { photo: 'tooLarge' }, values: {} } : undefined;
