import { type Kysely, sql } from 'kysely';

/** Answers that belong to a case, or wait to be sent; saved ones. SQLite drops no `not null`: made anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_replies_anew')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('message_id', 'text', (column) =>
      column.references('contact_messages.id').onDelete('cascade'),
    )
    .addColumn('application_id', 'text', (column) =>
      column.references('applications.id').onDelete('cascade'),
    )
    .addColumn('text_sealed', 'text', (column) => column.notNull())
    .addColumn('fields', 'text')
    .addColumn('written_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text')
    .execute();
  const kept = 'id, message_id, text_sealed, written_by, created_at';
  await sql
    .raw(
      `insert into contact_replies_anew (${kept}, sent_at)
       select ${kept}, created_at from contact_replies`,
    )
    .execute(db);
  await db.schema.dropTable('contact_replies').execute();
  await db.schema.alterTable('contact_replies_anew').renameTo('contact_replies').execute();
  for (const column of ['message_id', 'application_id']) {
    await db.schema
      .createIndex(`contact_replies_${column}`)
      .on('contact_replies')
      .column(column)
      .execute();
  }
  await db.schema
    .createTable('saved_replies')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('reply_key', 'text', (column) => column.notNull())
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('field', 'text')
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint('saved_replies_words', ['reply_key', 'language_code'])
    .execute();
}
