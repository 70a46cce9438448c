import type { Insertable, Selectable } from 'kysely';

import { UNPAID } from '~/domain/application/states';
import type { Database, Schema } from '../schema';
import { hasChanged } from './changed.server';

export type DocumentRow = Selectable<Schema['application_documents']>;
type DocumentKind = DocumentRow['kind'];

export const insertDocument = (db: Database, row: Insertable<Schema['application_documents']>) =>
  db.insertInto('application_documents').values(row).execute();

export function listDocumentFacts(db: Database, applicationId: string) {
  return db
    .selectFrom('application_documents')
    .select(['id', 'kind', 'media_type', 'byte_count', 'warnings', 'created_at'])
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .execute();
}

export const findDocument = (db: Database, applicationId: string, kind: DocumentKind) =>
  db
    .selectFrom('application_documents')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('kind', '=', kind)
    .executeTakeFirst();

/** Deletes documents of an application. @returns whether there was one */
export function deleteDocuments(
  db: Database,
  applicationId: string,
  kinds: readonly DocumentKind[],
): Promise<boolean> {
  return hasChanged(
    db
      .deleteFrom('application_documents')
      .where('application_id', '=', applicationId)
      .where('kind', 'in', kinds),
  );
}

const unpaidPhotos = (db: Database) =>
  db
    .selectFrom('application_documents')
    .innerJoin('applications', 'applications.id', 'application_documents.application_id')
    .where('applications.state', 'in', UNPAID)
    .where('applications.hold_reason', 'is', null);

/** Of applications that nobody has paid for and nobody holds, the oldest photo first. */
export async function listUnpaidPhotos(db: Database, savedBefore?: string): Promise<string[]> {
  let query = unpaidPhotos(db)
    .select('applications.id')
    .orderBy('application_documents.created_at');
  if (savedBefore) query = query.where('applications.updated_at', '<=', savedBefore);
  return (await query.execute()).map(({ id }) => id);
}

export async function sumOfUnpaidPhotos(db: Database): Promise<number> {
  const { bytes } = await unpaidPhotos(db)
    .select(({ fn }) => fn.sum<string | number | null>('byte_count').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}
