import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

const required = (column: ColumnDefinitionBuilder) => column.notNull();
/** SQLite takes null into a primary key of text, unless it is told not to. */
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey();
/** Rows that belong to an application go with it. */
const ofApplication = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('applications.id').onDelete('cascade');
const oneOf = (column: string, values: readonly string[]) =>
  sql.raw<boolean>(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`);

const STATES = [
  'draft',
  'awaiting_payment',
  'paid',
  'in_review',
  'action_required',
  'checked',
  'fee_due',
  'filed',
  'approved',
  'not_authorized',
  'cancelled',
  'expired',
];

/** Applications, their answers and documents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('applications')
    .addColumn('id', 'text', key)
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    // What an account leaves behind is decided when it is deleted, not by the database.
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('draft_token_hash', 'text', (column) => column.unique())
    .addColumn('form_version', 'integer', required)
    .addColumn('state', 'text', required)
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('language_code', 'text', required)
    .addColumn('package', 'text')
    .addColumn('citizenship', 'text')
    .addColumn('travel_date', 'text')
    .addColumn('name_sealed', 'text')
    .addColumn('email_sealed', 'text')
    .addColumn('email_index', 'text')
    .addColumn('passport_sealed', 'text')
    .addColumn('passport_index', 'text')
    .addColumn('assigned_to', 'text')
    .addColumn('checked_by', 'text')
    .addColumn('filed_by', 'text')
    .addColumn('official_number_sealed', 'text')
    .addColumn('valid_until', 'text')
    .addColumn('due_at', 'text')
    .addColumn('paused_at', 'text')
    .addColumn('hold_reason', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('certified_at', 'text')
    .addColumn('closed_at', 'text')
    .addColumn('noticed_at', 'text')
    .addColumn('purged_at', 'text')
    .addCheckConstraint('applications_state', oneOf('state', STATES))
    .execute();
  await db.schema
    .createIndex('applications_work')
    .on('applications')
    .columns(['state', 'assigned_to', 'due_at'])
    .execute();
  for (const column of ['user_id', 'email_index', 'passport_index', 'updated_at']) {
    await db.schema
      .createIndex(`applications_${column}`)
      .on('applications')
      .column(column)
      .execute();
  }

  // Their links and mails end with them.
  for (const table of ['one_time_tokens', 'outbox']) {
    await db.schema
      .createIndex(`${table}_application_id`)
      .on(table)
      .column('application_id')
      .execute();
  }

  await db.schema
    .createTable('application_answers')
    // Names the row where a sealed value is bound to it: the application and the step.
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .addColumn('step', 'integer', required)
    .addColumn('sealed', 'text', required)
    .addColumn('is_complete', 'integer', required)
    .addColumn('version', 'integer', required)
    .addColumn('saved_at', 'text', required)
    .addUniqueConstraint('application_answers_step', ['application_id', 'step'])
    .addCheckConstraint('application_answers_steps', sql`step between 1 and 8`)
    .addCheckConstraint('application_answers_complete', sql`is_complete in (0, 1)`)
    .execute();

  await db.schema
    .createTable('application_documents')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .addColumn('kind', 'text', required)
    .addColumn('media_type', 'text', required)
    .addColumn('byte_count', 'integer', required)
    // The key of this document alone; it is sealed, and the content is enciphered by it.
    .addColumn('key_sealed', 'text', required)
    .addColumn('content', sql`bytea`, required)
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('application_documents_kind', ['application_id', 'kind'])
    .addCheckConstraint('application_documents_kinds', oneOf('kind', ['passport_photo']))
    .addCheckConstraint(
      'application_documents_types',
      oneOf('media_type', ['image/jpeg', 'image/png']),
    )
    .execute();
}
