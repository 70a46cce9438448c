import type { Database } from '../schema';

/** The notes about an application, the latest first, with who wrote them. */
export function listNotes(db: Database, applicationId: string, limit: number) {
  return db
    .selectFrom('notes')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'notes.written_by').on('users.kind', '=', 'staff'),
    )
    .selectAll('notes')
    .select('users.email')
    .where('application_id', '=', applicationId)
    .orderBy('notes.created_at', 'desc')
    .orderBy('notes.id')
    .limit(limit)
    .execute();
}
