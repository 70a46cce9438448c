import { isPortraitRequired } from '~/facts.server';
import { type Picture, PICTURES } from '~/domain/application/requests';
import { listDocumentFacts } from '~db/queries/application-documents.server';
import type { RequestRow } from '~db/queries/application-requests.server';
import type { Database } from '~db/schema';
import type { CleanImage } from './image';

export type PhotoFacts = { mediaType: CleanImage['mediaType']; byteCount: number; createdAt: Date };

export const isNewer = (photo: PhotoFacts | undefined, { created_at }: RequestRow): boolean =>
  photo !== undefined && photo.createdAt.toISOString() >= created_at;

export type Pictures = Partial<Record<Picture, PhotoFacts>>;

export async function picturesOf(db: Database, applicationId: string): Promise<Pictures> {
  const found = await listDocumentFacts(db, applicationId);
  return Object.fromEntries(
    found.map(({ kind, media_type, byte_count, created_at }) => [
      kind,
      { mediaType: media_type, byteCount: byte_count, createdAt: new Date(created_at) },
    ]),
  );
}

export async function missingPictures(db: Database, applicationId: string): Promise<Picture[]> {
  const there = await picturesOf(db, applicationId);
  const isAsked = await isPortraitRequired(db);
  return PICTURES.filter((kind) => !there[kind] && (kind !== 'portrait' || isAsked));
}
