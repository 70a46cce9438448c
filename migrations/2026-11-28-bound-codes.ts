import type { Kysely } from 'kysely';

/** A code that is sent belongs to the session that asked for it, and goes with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('factor_challenges')
    .addColumn('session_id', 'text', (column) =>
      column.references('sessions.id').onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('factor_challenges_session_id')
    .on('factor_challenges')
    .column('session_id')
    .execute();
}
