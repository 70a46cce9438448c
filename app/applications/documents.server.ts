import { randomBytes, randomUUID } from 'node:crypto';

import { audit, type AuditActor, SYSTEM } from '~/accounts/audit.server';
import { requireDatabase, writeWithSecureDelete } from '~/database.server';
import { reopenTasksFor } from './tasks.server';
import type { Picture } from '~/domain/application/requests';
import { type ApplicationState, UNPAID } from '~/domain/application/states';
import { translator } from '~/i18n/locale.server';
import { mailLanguage } from '~/mail/language';
import { decrypt, encrypt, sealColumn, SealError, unsealColumn } from '~/sealing/seal.server';
import { deleteDocuments, type DocumentRow } from '~db/queries/application-documents.server';
import { findOpenRequest, type RequestRow } from '~db/queries/application-requests.server';
import {
  type ApplicationRow,
  lockApplication,
  updateInState,
} from '~db/queries/applications.server';
import { listDocumentChanges } from '~db/queries/audit-events.server';
import { markTokenUsed } from '~db/queries/one-time-tokens.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { tellTraveller } from './address.server';
import { endHandOver } from './hand-over.server';
import type { CleanImage } from './image';
import { inTurn } from './in-turn';
import { missingPictures, picturesOf } from './pictures.server';
import { fieldsOf, isOwnRequest, mayAddPhoto, noteAnswered, openRequest } from './requests.server';
import { makeRoomForPhotos } from './retention.server';

/** As the application is paid; The state stays: work begins without them. */
export async function askForPhotos(db: Database, row: ApplicationRow, now: Date): Promise<void> {
  const fields = await missingPictures(db, row.id);
  if (fields.length === 0 || (await findOpenRequest(db, row.id))) return;
  await openRequest(db, row.id, { fields, actor: SYSTEM }, now);
  await tellOfMissing(db, row, fields, now);
}

export async function tellOfMissing(
  db: Database,
  row: ApplicationRow,
  missing: readonly Picture[],
  now: Date,
): Promise<void> {
  const language = mailLanguage(row);
  const t = translator(language);
  const named = missing.map((kind) => t(`mail:photos.${kind}`));
  const photos = new Intl.ListFormat(language).format(named);
  await tellTraveller(db, row, 'photoMissing', { photos }, now);
}

interface PhotoChange {
  applicationId: string;
  kind: Picture;
  actor: AuditActor;
  code?: string | undefined;
}

export interface SentPicture {
  image: CleanImage;
  original?: CleanImage | undefined;
  warnings?: readonly string[];
}

const kindsOf = (kind: Picture) =>
  kind === 'portrait' ? (['portrait', 'portrait_original'] as const) : [kind];

/** Nothing of the one before remains. One at a time: on SQLite it stops all pages for a moment. */
export function savePhoto(
  { image, original, warnings = [] }: SentPicture,
  { applicationId, kind, actor, code }: PhotoChange,
  now: Date,
): Promise<'kept' | 'closed'> {
  return inTurn('write', async () => {
    const row = envelope(applicationId, image, now, kind);
    const whole = original && envelope(applicationId, original, now, 'portrait_original');
    const result = await requireDatabase(async (db) => {
      const isFree = await isIn(UNPAID, db, applicationId, now);
      const wanted = isFree ? undefined : await wantedPhoto(db, applicationId, kind);
      if (!isFree && !wanted) return 'closed';
      if (code && !(await markTokenUsed(db, code, now))) return 'closed';
      if (kind === 'portrait' && !code) await endHandOver(db, applicationId);
      const replaced = await deleteDocuments(db, applicationId, kindsOf(kind));
      await rowsIn(db).insert('application_documents', {
        ...row,
        warnings: warnings.join(' ') || null,
      });
      if (whole) await rowsIn(db).insert('application_documents', whole);
      const details = { kind, replaced };
      await audit(db, actor, 'document.added', ['application', applicationId], now, details);
      if (wanted) {
        const { request } = wanted;
        if (request && isOwnRequest(request) && (await isAllThere(db, request))) {
          await noteAnswered(db, request, actor, now);
        }
        await reopenTasksFor(db, applicationId, kind, now);
      }
      return 'kept' as const;
    }, writeWithSecureDelete);
    // After it, each in a transaction of its own: two that make room never wait for each other.
    if (result === 'kept') await makeRoomForPhotos(writeWithSecureDelete, now);
    return result;
  });
}

async function isAllThere(db: Database, request: RequestRow): Promise<boolean> {
  const missing: string[] = await missingPictures(db, request.application_id);
  return !fieldsOf(request).some((field) => missing.includes(field));
}

async function wantedPhoto(db: Database, applicationId: string, kind: Picture) {
  const row = await lockApplication(db, applicationId);
  const there = await picturesOf(db, applicationId);
  const request = await findOpenRequest(db, applicationId);
  const found = { kind, hasPhoto: there[kind] !== undefined, request };
  return row && mayAddPhoto(row, found) ? { request } : undefined;
}

export function removePhoto({ applicationId, kind, actor }: PhotoChange, now: Date) {
  return inTurn('write', () =>
    requireDatabase(async (db) => {
      if (!(await isIn(['draft'], db, applicationId, now))) return 'closed';
      if (!(await deleteDocuments(db, applicationId, kindsOf(kind)))) return 'none';
      await audit(db, actor, 'document.removed', ['application', applicationId], now, { kind });
      return 'removed';
    }, writeWithSecureDelete),
  );
}

async function isIn(
  states: readonly ApplicationState[],
  db: Database,
  applicationId: string,
  now: Date,
): Promise<boolean> {
  for (const state of states) {
    const changes = { updated_at: now.toISOString(), noticed_at: null };
    if (await updateInState(db, applicationId, state, changes)) return true;
  }
  return false;
}

export async function photoChanges(db: Database, applicationId: string) {
  const changes = await listDocumentChanges(db, applicationId);
  const last = changes.at(-1);
  return {
    added: changes.filter(({ action }) => action === 'document.added').length,
    isGone: last?.action === 'document.removed' && last.actor_kind === 'system',
  };
}

const KEY_BYTES = 32;

/** With a key of its own, sealed: new data keys seal that alone anew. Bound to its application. */
export function envelope(
  applicationId: string,
  { mediaType, bytes }: CleanImage,
  now: Date,
  kind: DocumentRow['kind'],
): DocumentRow {
  const id = randomUUID();
  const key = randomBytes(KEY_BYTES);
  return {
    id,
    application_id: applicationId,
    kind,
    warnings: null,
    media_type: mediaType,
    byte_count: bytes.length,
    key_sealed: sealColumn('application_documents', id, 'key_sealed', key.toString('base64url')),
    content: encrypt(key, bytes, associatedData(id, applicationId)),
    created_at: now.toISOString(),
  };
}

export async function readDocument(db: Database, applicationId: string, kind: DocumentRow['kind']) {
  const which = { application_id: applicationId, kind };
  const row = await rowsIn(db).find('application_documents', which);
  if (!row) return undefined;
  const key = Buffer.from(unsealColumn('application_documents', row, 'key_sealed'), 'base64url');
  const bytes = decrypt(key, row.content, associatedData(row.id, applicationId));
  if (bytes) return { mediaType: row.media_type, bytes };
  throw new SealError('application_documents.content does not open: it was moved or altered');
}

const associatedData = (id: string, applicationId: string) =>
  Buffer.from(JSON.stringify(['application_documents', id, 'content', applicationId]));
