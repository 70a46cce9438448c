import { UNPAID } from '~/domain/application/states';
import type { Database } from '../schema';
import { type Row, hasChanged, selectIds, rowsIn } from './rows.server';

export type DocumentRow = Row<'application_documents'>;

export const listDocumentFacts = (db: Database, application_id: string) =>
  rowsIn(db)
    .of('application_documents', { application_id })
    .clearSelect()
    .select(['id', 'kind', 'media_type', 'byte_count', 'warnings', 'created_at'])
    .orderBy('created_at')
    .execute();

export const deleteDocuments = (
  db: Database,
  application_id: string,
  kinds: readonly DocumentRow['kind'][],
) =>
  hasChanged(
    rowsIn(db).delete('application_documents', { application_id }).where('kind', 'in', kinds),
  );

const unpaidPhotos = (db: Database) =>
  db
    .selectFrom('application_documents')
    .innerJoin('applications', 'applications.id', 'application_documents.application_id')
    .where('applications.state', 'in', UNPAID)
    .where('applications.hold_reason', 'is', null);

export function listUnpaidPhotos(db: Database, savedBefore?: string): Promise<string[]> {
  let query = unpaidPhotos(db)
    .select('applications.id')
    .orderBy('application_documents.created_at');
  if (savedBefore) query = query.where('applications.updated_at', '<=', savedBefore);
  return selectIds(query);
}

export async function sumOfUnpaidPhotos(db: Database): Promise<number> {
  const { bytes } = await unpaidPhotos(db)
    .select(({ fn }) => fn.sum<string | number | null>('byte_count').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}
