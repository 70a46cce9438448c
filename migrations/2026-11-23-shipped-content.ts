import type { Kysely } from 'kysely';

/** What of the content came with the program, so that a newer version can tell it from the operator's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shipped_content')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
}
