import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';

import { audit, type AuditActor, SYSTEM } from '~/accounts/audit.server';
import { requireDatabase, writeWithSecureDelete } from '~/database.server';
import { reopenTasksFor } from './tasks.server';
import type { Picture } from '~/domain/application/requests';
import { type ApplicationState, UNPAID } from '~/domain/application/states';
import { translator } from '~/i18n/server.server';
import { mailLanguage } from '~/mail/language';
import { sealColumn, SealError, unsealColumn } from '~/sealing/seal.server';
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

/** As the application is paid; `wakeOutbox()` after it. The state stays: work begins without them. */
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
  /** The hash of the code that it came with (`hand-over.server.ts`). */
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

/** Holds a paid application. @returns undefined if nobody wants a picture */
async function wantedPhoto(
  db: Database,
  applicationId: string,
  kind: Picture,
): Promise<{ request: RequestRow | undefined } | undefined> {
  const row = await lockApplication(db, applicationId);
  const there = await picturesOf(db, applicationId);
  const request = await findOpenRequest(db, applicationId);
  const found = { kind, hasPhoto: there[kind] !== undefined, request };
  return row && mayAddPhoto(row, found) ? { request } : undefined;
}

/** `closed`: the application is no draft any more. */
export function removePhoto(
  { applicationId, kind, actor }: PhotoChange,
  now: Date,
): Promise<'removed' | 'none' | 'closed'> {
  return inTurn('write', () =>
    requireDatabase(async (db) => {
      if (!(await isIn(['draft'], db, applicationId, now))) return 'closed';
      if (!(await deleteDocuments(db, applicationId, kindsOf(kind)))) return 'none';
      const details = { kind };
      await audit(db, actor, 'document.removed', ['application', applicationId], now, details);
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

/** And whether the site itself has deleted the last one. */
export async function photoChanges(db: Database, applicationId: string) {
  const changes = await listDocumentChanges(db, applicationId);
  const last = changes.at(-1);
  return {
    added: changes.filter(({ action }) => action === 'document.added').length,
    isGone: last?.action === 'document.removed' && last.actor_kind === 'system',
  };
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** With a key of its own, sealed: new data keys seal that alone anew. Bound to its application. */
export function envelope(
  applicationId: string,
  { mediaType, bytes }: CleanImage,
  now: Date,
  kind: DocumentRow['kind'] = 'passport_photo',
): DocumentRow {
  const id = randomUUID();
  const key = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(id, applicationId));
  const ciphertext = [cipher.update(bytes), cipher.final()];
  return {
    id,
    application_id: applicationId,
    kind,
    warnings: null,
    media_type: mediaType,
    byte_count: bytes.length,
    key_sealed: sealColumn('application_documents', id, 'key_sealed', key.toString('base64url')),
    content: Buffer.concat([iv, cipher.getAuthTag(), ...ciphertext]),
    created_at: now.toISOString(),
  };
}

/** A document in clear, for the desk. @throws {SealError} if it was altered, or its key is gone */
export async function readDocument(
  db: Database,
  applicationId: string,
  kind: DocumentRow['kind'],
): Promise<CleanImage | undefined> {
  const row = await rowsIn(db).find('application_documents', {
    application_id: applicationId,
    kind,
  });
  if (!row) return undefined;
  const { id } = row;
  const key = Buffer.from(unsealColumn('application_documents', row, 'key_sealed'), 'base64url');
  const { buffer, byteOffset, byteLength } = row.content;
  const content = Buffer.from(buffer, byteOffset, byteLength);
  const decipher = createDecipheriv(CIPHER, key, content.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(id, row.application_id));
  try {
    decipher.setAuthTag(content.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const bytes = Buffer.concat([
      decipher.update(content.subarray(IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
    return { mediaType: row.media_type, bytes };
  } catch {
    throw new SealError('application_documents.content does not open: it was moved or altered');
  }
}

const associatedData = (id: string, applicationId: string) =>
  Buffer.from(JSON.stringify(['application_documents', id, 'content', applicationId]));
