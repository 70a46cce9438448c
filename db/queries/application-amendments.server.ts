import type { Insertable } from 'kysely';

import type { Database, Schema } from '../schema';

export const insertAmendment = (db: Database, row: Insertable<Schema['application_amendments']>) =>
  db.insertInto('application_amendments').values(row).execute();

export function listAmendments(db: Database, applicationId: string, limit: number) {
  return db
    .selectFrom('application_amendments')
    .leftJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'application_amendments.amended_by')
        .on('users.kind', '=', 'staff'),
    )
    .selectAll('application_amendments')
    .select('users.email')
    .where('application_id', '=', applicationId)
    .orderBy('application_amendments.created_at', 'desc')
    .orderBy('application_amendments.id')
    .limit(limit)
    .execute();
}
