import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

type AmendmentRow = Selectable<Schema['application_amendments']>;

/** Adds what was changed in an answer. */
export async function insertAmendment(
  db: Database,
  row: Insertable<Schema['application_amendments']>,
): Promise<void> {
  await db.insertInto('application_amendments').values(row).execute();
}

/** What was changed in the answers of an application, the latest first, with who did it. */
export async function listAmendments(
  db: Database,
  applicationId: string,
  limit: number,
): Promise<(AmendmentRow & { email: string | null })[]> {
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
