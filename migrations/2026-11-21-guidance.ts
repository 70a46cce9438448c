import { type Kysely, sql } from 'kysely';

/** What the guide says: one row a step, tip, warning or resource and language. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('guidance_content')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('content_key', 'text', (column) => column.notNull())
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in ('step', 'tip', 'warning', 'resource')`),
    )
    .addColumn('display_order', 'integer', (column) => column.notNull())
    .addColumn('is_published', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(1)
        .check(sql`is_published in (0, 1)`),
    )
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('summary', 'text')
    .addColumn('estimated_minutes', 'integer')
    .addColumn('key_points', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('mistakes', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('links', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('url', 'text')
    .addUniqueConstraint('guidance_content_words', ['content_key', 'language_code'])
    .execute();
}
