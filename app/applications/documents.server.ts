import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';

import { type AuditActor, audit } from '~/accounts/audit.server';
import { eraseInDatabase, requireDatabase } from '~/database.server';
import { type ApplicationState, UNPAID } from '~/domain/application/states';
import { seal, SealError, unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import {
  deleteDocument,
  type DocumentRow,
  findDocument,
  findDocumentFacts,
  insertDocument,
} from '~db/queries/application-documents.server';
import { findOpenRequest, type RequestRow } from '~db/queries/application-requests.server';
import { lockApplication, updateInState } from '~db/queries/applications.server';
import { listDocumentChanges } from '~db/queries/audit-events.server';
import { reopenTasksFor } from '~/desk/tasks.server';
import { inTurn } from './in-turn';
import type { CleanImage } from './image';
import { makeRoomForPhotos } from './retention.server';
import { isOwnRequest, mayAddPhoto, noteAnswered } from './requests.server';

const PHOTO = 'passport_photo';

/** What the traveller is told of the photo; its picture is for assigned staff only. */
export interface PhotoFacts {
  mediaType: CleanImage['mediaType'];
  byteCount: number;
  createdAt: Date;
}

export async function hasPassportPhoto(db: Database, applicationId: string): Promise<boolean> {
  return (await findDocumentFacts(db, applicationId, PHOTO)) !== undefined;
}

export async function photoOf(
  db: Database,
  applicationId: string,
): Promise<PhotoFacts | undefined> {
  const found = await findDocumentFacts(db, applicationId, PHOTO);
  return (
    found && {
      mediaType: found.media_type,
      byteCount: found.byte_count,
      createdAt: new Date(found.created_at),
    }
  );
}

interface PhotoChange {
  applicationId: string;
  actor: AuditActor;
}

/**
 * Keeps a photo in the place of the one before, of which nothing remains in the database's files.
 * One is written at a time: on SQLite a large one stops all pages for a moment.
 *
 * @returns `closed`: the photo may not be changed any more, and nothing was
 */
export function keepPhoto(
  image: CleanImage,
  { applicationId, actor }: PhotoChange,
  now: Date,
): Promise<'kept' | 'closed'> {
  return inTurn('write', async () => {
    const row = envelope(applicationId, image, now);
    const result = await requireDatabase(async (db) => {
      const isFree = await isIn(UNPAID, db, applicationId, now);
      const wanted = isFree ? undefined : await wantedPhoto(db, applicationId);
      if (!isFree && !wanted) return 'closed';
      const isReplaced = await deleteDocument(db, applicationId, PHOTO);
      await insertDocument(db, row);
      await audit(db, actor, 'document.added', ['application', applicationId], now, {
        kind: PHOTO,
        replaced: isReplaced,
      });
      if (wanted) {
        const { request } = wanted;
        if (request && isOwnRequest(request)) await noteAnswered(db, request, actor, now);
        await reopenTasksFor(db, applicationId, PHOTO, now);
      }
      return 'kept' as const;
    }, eraseInDatabase);
    // After it, each in a transaction of its own: two that make room never wait for each other.
    if (result === 'kept') await makeRoomForPhotos(eraseInDatabase, now);
    return result;
  });
}

/**
 * Holds a paid application whose photo is missing, or asked for. @returns undefined if nobody wants
 * one
 */
async function wantedPhoto(
  db: Database,
  applicationId: string,
): Promise<{ request: RequestRow | undefined } | undefined> {
  const row = await lockApplication(db, applicationId);
  const hasPhoto = await hasPassportPhoto(db, applicationId);
  const request = await findOpenRequest(db, applicationId);
  return row && mayAddPhoto(row, { hasPhoto, request }) ? { request } : undefined;
}

/**
 * Removes the photo. @returns `none`: there was none; `closed`: the application is no draft any
 * more
 */
export function removePhoto(
  { applicationId, actor }: PhotoChange,
  now: Date,
): Promise<'removed' | 'none' | 'closed'> {
  return inTurn('write', () =>
    requireDatabase(async (db) => {
      if (!(await isIn(['draft'], db, applicationId, now))) return 'closed';
      if (!(await deleteDocument(db, applicationId, PHOTO))) return 'none';
      await audit(db, actor, 'document.removed', ['application', applicationId], now, {
        kind: PHOTO,
      });
      return 'removed';
    }, eraseInDatabase),
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

/** How many photos an application has had, and whether the site itself has deleted the last one. */
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

/**
 * A document with a key of its own, which is sealed: new data keys seal that alone anew. Its
 * content is iv, tag and ciphertext, bound to the document and its application.
 */
export function envelope(
  applicationId: string,
  { mediaType, bytes }: CleanImage,
  now: Date,
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
    kind: PHOTO,
    media_type: mediaType,
    byte_count: bytes.length,
    key_sealed: seal(key.toString('base64url'), keyPlace(id)),
    content: Buffer.concat([iv, cipher.getAuthTag(), ...ciphertext]),
    created_at: now.toISOString(),
  };
}

/** A document in clear, for the desk. @throws {SealError} if it was altered, or its key is gone */
export async function readDocument(
  db: Database,
  id: string,
): Promise<(CleanImage & { applicationId: string }) | undefined> {
  const row = await findDocument(db, id);
  if (!row) return undefined;
  const key = Buffer.from(unseal(row.key_sealed, keyPlace(id)), 'base64url');
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
    return { applicationId: row.application_id, mediaType: row.media_type, bytes };
  } catch {
    throw new SealError('application_documents.content does not open: it was moved or altered');
  }
}

const keyPlace = (id: string) => ({
  table: 'application_documents',
  row: id,
  field: 'key_sealed',
});

const associatedData = (id: string, applicationId: string) =>
  Buffer.from(JSON.stringify(['application_documents', id, 'content', applicationId]));
