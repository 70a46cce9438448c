import type { Kysely } from 'kysely';

/** Which results a visitor has deleted, so that an older cookie of theirs cannot save them again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deleted_assessments')
    .addColumn('session_hash', 'text', (column) => column.primaryKey())
    .addColumn('deleted_at', 'text', (column) => column.notNull())
    .execute();
}
