import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

export type DocumentRow = Selectable<Schema['application_documents']>;
type DocumentKind = DocumentRow['kind'];
/** What may be told of a document without opening it. */
export type DocumentFacts = Pick<DocumentRow, 'id' | 'media_type' | 'byte_count' | 'created_at'>;

/** Adds a document; there is one of a kind at most. */
export async function insertDocument(
  db: Database,
  document: Insertable<Schema['application_documents']>,
): Promise<void> {
  await db.insertInto('application_documents').values(document).execute();
}

/** The document of an application, without its content. */
export async function findDocumentFacts(
  db: Database,
  applicationId: string,
  kind: DocumentKind,
): Promise<DocumentFacts | undefined> {
  return db
    .selectFrom('application_documents')
    .select(['id', 'media_type', 'byte_count', 'created_at'])
    .where('application_id', '=', applicationId)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** A document with its enciphered content. */
export async function findDocument(db: Database, id: string): Promise<DocumentRow | undefined> {
  return db.selectFrom('application_documents').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Deletes the document of an application. @returns whether there was one */
export async function deleteDocument(
  db: Database,
  applicationId: string,
  kind: DocumentKind,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('application_documents')
    .where('application_id', '=', applicationId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
