import { type Kysely, sql } from 'kysely';

/** Official facts that change, one row a period, with where and when each was checked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('facts')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('fact_key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('unit', 'text', (column) => column.notNull())
    .addColumn('valid_from', 'text', (column) =>
      column.notNull().check(sql`length(valid_from) = 10`),
    )
    .addColumn('valid_to', 'text')
    .addColumn('source_title', 'text', (column) => column.notNull())
    .addColumn('source_url', 'text', (column) => column.notNull())
    .addColumn('checked_on', 'text', (column) => column.notNull())
    .addColumn('confidence', 'text')
    .addUniqueConstraint('facts_period', ['fact_key', 'valid_from'])
    .execute();
}
