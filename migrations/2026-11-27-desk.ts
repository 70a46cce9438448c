import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

const required = (column: ColumnDefinitionBuilder) => column.notNull();
/** SQLite takes null into a primary key of text, unless it is told not to. */
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey();
const versioned = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(1);
/** Rows that belong to an application go with it. */
const ofApplication = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('applications.id').onDelete('cascade');
const oneOf = (column: string, values: readonly string[]) =>
  sql.raw<boolean>(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`);

/** The desk: work on applications, messages and leads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addWorkColumns(db);
  await addWorkTables(db);
  await addMessageTables(db);
  await orderAuditLog(db);
}

/** The audit log is read a page at a time, the latest first: all of it, by who did it, to what, and what. */
async function orderAuditLog(db: Kysely<unknown>): Promise<void> {
  for (const column of ['at', 'actor_id', 'subject_id']) {
    await db.schema.dropIndex(`audit_events_${column}`).execute();
  }
  const indexes = {
    at: ['at', 'id'],
    actor: ['actor_id', 'at', 'id'],
    actor_action: ['actor_id', 'action', 'at', 'id'],
    subject: ['subject_id', 'at', 'id'],
    subject_action: ['subject_id', 'action', 'at', 'id'],
    action: ['action', 'at', 'id'],
    // What is deleted by age.
    kept_until: ['kept_until'],
  };
  for (const [name, columns] of Object.entries(indexes)) {
    await db.schema
      .createIndex(`audit_events_${name}`)
      .on('audit_events')
      .columns(columns)
      .execute();
  }
}

async function addWorkColumns(db: Kysely<unknown>): Promise<void> {
  const columns = [
    // Of the order: before this instant nobody works on it.
    'starts_at',
    'entered_at',
    // By when the official fee must be paid.
    'pay_by',
    'filed_at',
    'decided_at',
    // Family name and day of birth, as the desk searches for them.
    'person_index',
    'reminded_at',
  ];
  for (const column of columns) {
    await db.schema.alterTable('applications').addColumn(column, 'text').execute();
  }
  await db.schema
    .alterTable('applications')
    // Ticked by the traveller: an unpaid one is reminded of.
    .addColumn('wants_reminder', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`wants_reminder in (0, 1)`),
    )
    .execute();
  // Lists of the desk are read by state, by who works on it, and in the order in which they are due; what
  // they are narrowed by stands behind, so that what does not match is not looked up.
  const narrowed = ['package', 'citizenship', 'travel_date'];
  await db.schema.dropIndex('applications_work').execute();
  await db.schema
    .createIndex('applications_state_due')
    .on('applications')
    .columns(['state', 'due_at', 'id', ...narrowed])
    .execute();
  await db.schema
    .createIndex('applications_assigned_due')
    .on('applications')
    .columns(['assigned_to', 'state', 'due_at', 'id', 'starts_at', ...narrowed])
    .execute();
  // PostgreSQL takes no other for what is nobody's, in this order.
  await db.schema
    .createIndex('applications_free')
    .on('applications')
    .columns(['state', 'due_at', 'id', 'starts_at', ...narrowed])
    .where(sql.ref('assigned_to'), 'is', null)
    .execute();
  // Of what has come to its end, the latest first; what nobody paid for is not the desk's.
  await db.schema
    .createIndex('applications_ended')
    .on('applications')
    .columns(['state', 'closed_at', 'id', 'assigned_to', ...narrowed])
    .where(sql.ref('closed_at'), 'is not', null)
    .where(sql.ref('due_at'), 'is not', null)
    .execute();
  for (const column of [
    'person_index',
    'filed_at',
    'decided_at',
    'created_at',
    'certified_at',
    'closed_at',
  ]) {
    await db.schema
      .createIndex(`applications_${column}`)
      .on('applications')
      .column(column)
      .execute();
  }
}

async function addWorkTables(db: Kysely<unknown>): Promise<void> {
  // What the traveller is asked to mend.
  await db.schema
    .createTable('application_requests')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .addColumn('state', 'text', required)
    // JSON array of form names; `passport_photo` is the photo.
    .addColumn('fields', 'text', required)
    .addColumn('reason_sealed', 'text')
    .addColumn('created_by', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('reminders', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('answered_at', 'text')
    .addColumn('version', 'integer', versioned)
    .addCheckConstraint('application_requests_state', oneOf('state', ['open', 'answered', 'ended']))
    .execute();
  await db.schema
    .createIndex('application_requests_open')
    .on('application_requests')
    .column('application_id')
    .unique()
    .where(sql.ref('state'), '=', 'open')
    .execute();
  await db.schema
    .createIndex('application_requests_application_id')
    .on('application_requests')
    .column('application_id')
    .execute();

  // What is to be checked before an application is filed, and seen to afterwards.
  await db.schema
    .createTable('application_tasks')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .addColumn('kind', 'text', required)
    // What it is about, such as the name of a warning; empty: the application.
    .addColumn('subject', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('state', 'text', required)
    // What staff typed for it, and why it is done.
    .addColumn('typed_sealed', 'text')
    .addColumn('note_sealed', 'text')
    .addColumn('done_by', 'text')
    .addColumn('done_at', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('due_at', 'text')
    .addColumn('version', 'integer', versioned)
    .addUniqueConstraint('application_tasks_once', ['application_id', 'kind', 'subject'])
    .addCheckConstraint('application_tasks_state', oneOf('state', ['open', 'done']))
    .execute();
  await db.schema
    .createIndex('application_tasks_due')
    .on('application_tasks')
    .columns(['due_at'])
    .where(sql.ref('state'), '=', 'open')
    .execute();

  // What staff changed in the answers: the value before and after it.
  await db.schema
    .createTable('application_amendments')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .addColumn('step', 'integer', required)
    .addColumn('field', 'text', required)
    .addColumn('old_sealed', 'text')
    .addColumn('new_sealed', 'text')
    .addColumn('reason_sealed', 'text')
    // Null: the traveller, in answer to a request.
    .addColumn('amended_by', 'text')
    .addColumn('created_at', 'text', required)
    .execute();
  await db.schema
    .createTable('notes')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .addColumn('text_sealed', 'text', required)
    .addColumn('written_by', 'text', required)
    .addColumn('created_at', 'text', required)
    .execute();
  for (const table of ['application_amendments', 'notes']) {
    await db.schema
      .createIndex(`${table}_application_id`)
      .on(table)
      .columns(['application_id', 'created_at'])
      .execute();
  }
}

async function addMessageTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_messages')
    .addColumn('id', 'text', key)
    .addColumn('state', 'text', required)
    .addColumn('category', 'text')
    .addColumn('language_code', 'text', required)
    // JSON of what was typed.
    .addColumn('message_sealed', 'text', required)
    .addColumn('email_sealed', 'text', required)
    .addColumn('email_index', 'text', required)
    // Found by the reference that was typed, if the address is its traveller's.
    .addColumn('application_id', 'text', (column) =>
      column.references('applications.id').onDelete('set null'),
    )
    .addColumn('assigned_to', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('closed_at', 'text')
    .addColumn('version', 'integer', versioned)
    .addCheckConstraint('contact_messages_state', oneOf('state', ['new', 'answered', 'closed']))
    .execute();
  await db.schema
    .createIndex('contact_messages_state')
    .on('contact_messages')
    .columns(['state', 'created_at', 'id'])
    .execute();
  for (const column of ['email_index', 'closed_at']) {
    await db.schema
      .createIndex(`contact_messages_${column}`)
      .on('contact_messages')
      .column(column)
      .execute();
  }
  await db.schema
    .createTable('contact_replies')
    .addColumn('id', 'text', key)
    .addColumn('message_id', 'text', (column) =>
      column.notNull().references('contact_messages.id').onDelete('cascade'),
    )
    .addColumn('text_sealed', 'text', required)
    .addColumn('written_by', 'text', required)
    .addColumn('created_at', 'text', required)
    .execute();
  await db.schema
    .createIndex('contact_replies_message_id')
    .on('contact_replies')
    .column('message_id')
    .execute();

  // Who may become a customer: a message, or an unpaid application whose owner wants to be reminded.
  await db.schema
    .createTable('leads')
    .addColumn('id', 'text', key)
    .addColumn('kind', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('message_id', 'text', (column) =>
      column.unique().references('contact_messages.id').onDelete('cascade'),
    )
    .addColumn('application_id', 'text', (column) =>
      column.unique().references('applications.id').onDelete('cascade'),
    )
    .addColumn('assigned_to', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('version', 'integer', versioned)
    .addCheckConstraint('leads_kind', oneOf('kind', ['message', 'application']))
    .addCheckConstraint(
      'leads_state',
      oneOf('state', ['new', 'contacted', 'converted', 'lost', 'do_not_contact']),
    )
    .execute();
  await db.schema
    .createIndex('leads_state')
    .on('leads')
    .columns(['state', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('leads_assigned')
    .on('leads')
    .columns(['assigned_to', 'state', 'created_at', 'id'])
    .execute();

  // What a day came to, once it is over: it does not change any more.
  await db.schema
    .createTable('day_counts')
    .addColumn('day', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('value', 'integer', required)
    .addPrimaryKeyConstraint('day_counts_key', ['day', 'name'])
    .execute();
}
