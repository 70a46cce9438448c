import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

type NoteRow = Selectable<Schema['notes']>;

/** Adds a note. @returns false if it is there already: a second press of the same button */
export async function insertNote(db: Database, row: Insertable<Schema['notes']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('notes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The notes about an application, the latest first, with who wrote them. */
export async function listNotes(
  db: Database,
  applicationId: string,
  limit: number,
): Promise<(NoteRow & { email: string | null })[]> {
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
