import type { Kysely } from 'kysely';

/** The titles of the facts' sources in other languages than English. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fact_translations')
    .addColumn('fact_key', 'text', (column) => column.notNull())
    .addColumn('valid_from', 'text', (column) => column.notNull())
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('source_title', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('fact_translations_pk', ['fact_key', 'valid_from', 'language_code'])
    .addForeignKeyConstraint(
      'fact_translations_fact',
      ['fact_key', 'valid_from'],
      'facts',
      ['fact_key', 'valid_from'],
      (constraint) => constraint.onDelete('cascade').onUpdate('cascade'),
    )
    .execute();
}
