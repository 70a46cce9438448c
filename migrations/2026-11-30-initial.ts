import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';

type Builder = ColumnDefinitionBuilder;
type Table = CreateTableBuilder<string, string>;

const required = (column: Builder) => column.notNull();
const unique = (column: Builder) => column.unique();
/** SQLite takes null into a primary key of text, unless it is told not to. */
const key = (column: Builder) => column.notNull().primaryKey();
const numbered = (column: Builder) => column.primaryKey().autoIncrement();
const startsAt = (value: number | string) => (column: Builder) => column.notNull().defaultTo(value);
const flag = (name: string, initial?: 0 | 1) => (column: Builder) =>
  (initial === undefined ? column.notNull() : column.notNull().defaultTo(initial)).check(
    sql`${sql.ref(name)} in (0, 1)`,
  );
const partOf = (owner: string) => (column: Builder) =>
  column.notNull().references(owner).onDelete('cascade');
const oneOf = (column: string, ...values: string[]) =>
  sql.raw<boolean>(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`);

/** Adds columns of text, one after the other. */
const texts = (...names: string[]) => addTexts(names, required);
const optionalTexts = (...names: string[]) => addTexts(names, (column) => column);
const addTexts = (names: string[], build: (column: Builder) => Builder) => (table: Table) =>
  names.reduce((made, name) => made.addColumn(name, 'text', build), table);

/** All tables; `db/schema.ts` says what their columns mean. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createContent(db);
  await createAssessments(db);
  await createAccounts(db);
  await createApplications(db);
  await createOrders(db);
  await createMessages(db);
  await createLogs(db);
}

async function createContent(db: Kysely<unknown>): Promise<void> {
  await create(db, 'vwp_countries')
    .addColumn('country_code', 'text', (column) =>
      column.primaryKey().check(sql`length(country_code) = 2`),
    )
    .addColumn('country_name', 'text', required)
    .addColumn('is_eligible', 'integer', flag('is_eligible'))
    .addColumn('esta_validity_months', 'integer')
    .$call(optionalTexts('remark', 'citizenship_code'))
    .execute();
  await create(db, 'vwp_country_translations')
    .addColumn('country_code', 'text', (column) =>
      partOf('vwp_countries.country_code')(column).onUpdate('cascade'),
    )
    .$call(texts('language_code', 'country_name'))
    .addColumn('aliases', 'text', startsAt('[]'))
    .addPrimaryKeyConstraint('vwp_country_translations_pk', ['country_code', 'language_code'])
    .execute();
  await create(db, 'eligibility_questions')
    .addColumn('id', 'integer', numbered)
    .addColumn('question_key', 'text', (column) =>
      column
        .notNull()
        .unique()
        .check(sql`length(question_key) between 1 and 40`),
    )
    .$call(texts('question_text', 'explanation'))
    .addColumn('hint', 'text')
    .addColumn('disqualifying_answer', 'text', (column) =>
      column.notNull().check(oneOf('disqualifying_answer', 'yes', 'no')),
    )
    .addColumn('severity', 'text', (column) =>
      column
        .notNull()
        .defaultTo('visa_required')
        .check(oneOf('severity', 'visa_required', 'case_by_case')),
    )
    .$call(optionalTexts('rule_reference', 'rule_url'))
    .addColumn('is_active', 'integer', flag('is_active', 1))
    .addColumn('question_order', 'integer', startsAt(0))
    .execute();
  await create(db, 'eligibility_question_translations')
    .addColumn('question_key', 'text', (column) =>
      partOf('eligibility_questions.question_key')(column).onUpdate('cascade'),
    )
    .$call(texts('language_code', 'question_text', 'explanation'))
    .addColumn('hint', 'text')
    .addPrimaryKeyConstraint('eligibility_question_translations_pk', [
      'question_key',
      'language_code',
    ])
    .execute();
  await create(db, 'facts')
    .addColumn('id', 'integer', numbered)
    .$call(texts('fact_key', 'value', 'unit', 'valid_from'))
    .addColumn('valid_to', 'text')
    .$call(texts('source_title', 'source_url', 'checked_on'))
    .addColumn('confidence', 'text')
    .addUniqueConstraint('facts_period', ['fact_key', 'valid_from'])
    .addCheckConstraint('facts_value', sql.raw(`(not ${HAS_NUMBERS} or ${IS_NUMBER})`))
    .addCheckConstraint('facts_valid_from', sql.raw(isDay('valid_from')))
    .addCheckConstraint('facts_valid_to', sql.raw(`(valid_to is null or ${isDay('valid_to')})`))
    .addCheckConstraint('facts_checked_on', sql.raw(isDay('checked_on')))
    .addCheckConstraint('facts_source_url', sql.raw(IS_URL))
    .execute();
  await create(db, 'fact_translations')
    .$call(texts('fact_key', 'valid_from', 'language_code', 'source_title'))
    .addPrimaryKeyConstraint('fact_translations_pk', ['fact_key', 'valid_from', 'language_code'])
    .addForeignKeyConstraint(
      'fact_translations_fact',
      ['fact_key', 'valid_from'],
      'facts',
      ['fact_key', 'valid_from'],
      (constraint) => constraint.onDelete('cascade').onUpdate('cascade'),
    )
    .execute();
  await create(db, 'guidance_content')
    .addColumn('id', 'integer', numbered)
    .$call(texts('content_key', 'language_code'))
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(oneOf('kind', 'step', 'tip', 'warning', 'resource')),
    )
    .addColumn('display_order', 'integer', required)
    .addColumn('is_published', 'integer', flag('is_published', 1))
    .addColumn('title', 'text', required)
    .addColumn('summary', 'text')
    .addColumn('estimated_minutes', 'integer')
    .addColumn('key_points', 'text', startsAt('[]'))
    .addColumn('mistakes', 'text', startsAt('[]'))
    .addColumn('links', 'text', startsAt('[]'))
    .addColumn('url', 'text')
    .addUniqueConstraint('guidance_content_words', ['content_key', 'language_code'])
    .execute();
  await create(db, 'shipped_content')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', required)
    .execute();
}

/*
 * What a row of `facts` must be, as far as `like` and `length` can tell, so that every database
 * understands it. What they cannot tell (30 February, 4x2) is found where the rows are read.
 */
const all = (...conditions: string[]) => `(${conditions.join(' and ')})`;
const like = (column: string, ...patterns: string[]) =>
  `(${patterns.map((pattern) => `${column} like '${pattern}'`).join(' or ')})`;
const notLike = (column: string, ...patterns: string[]) =>
  all(...patterns.map((pattern) => `${column} not like '${pattern}'`));

const isDay = (column: string) =>
  all(
    `length(${column}) = 10`,
    like(column, '1___-__-__', '2___-__-__'),
    like(column, '____-0_-__', '____-10-__', '____-11-__', '____-12-__'),
    like(column, '%-0_', '%-1_', '%-2_', '%-30', '%-31'),
    notLike(column, '%-00', '%-00-%', '%-02-3_', '%-04-31', '%-06-31', '%-09-31', '%-11-31'),
  );
const DIGITS = Array.from('0123456789');
const IS_NUMBER = all(
  'length(value) <= 12',
  like('value', ...DIGITS.map((digit) => `${digit}%`)),
  like('value', ...DIGITS.map((digit) => `%${digit}`)),
  notLike('value', '%,%', '% %', '%-%', '%.%.%'),
);
const HAS_NUMBERS = like('unit', 'USD', 'hours', 'days', 'months', 'countries');
const IS_URL = all(like('source_url', 'https://_%'), notLike('source_url', '% %'));

async function createAssessments(db: Kysely<unknown>): Promise<void> {
  await create(db, 'eligibility_assessments')
    .addColumn('id', 'integer', numbered)
    .addColumn('session_id', 'text', (column) => column.notNull().unique())
    .addColumn('country_code', 'text', required)
    .addColumn('is_country_eligible', 'integer', flag('is_country_eligible'))
    .addColumn('assessment_data', 'text', required)
    .addColumn('is_eligible', 'integer', flag('is_eligible'))
    .$call(texts('disqualifying_factors', 'factor_keys', 'outcome', 'language_code'))
    .addColumn('completed_at', 'text', required)
    .execute();
  await index(db, 'eligibility_assessments', 'completed_at');
  await create(db, 'deleted_assessments')
    .addColumn('session_hash', 'text', (column) => column.primaryKey())
    .addColumn('deleted_at', 'text', required)
    .execute();
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await create(db, 'users')
    .addColumn('id', 'text', key)
    .$call(texts('email', 'email_normalized'))
    .$call(optionalTexts('email_verified_at', 'password_hash', 'first_name', 'last_name'))
    .$call(texts('language_code', 'kind'))
    .$call(optionalTexts('role', 'deactivated_at'))
    .addColumn('version', 'integer', startsAt(1))
    .addColumn('created_at', 'text', required)
    .addCheckConstraint('users_kind', oneOf('kind', 'traveller', 'staff'))
    .addCheckConstraint(
      'users_role',
      sql`(kind = 'traveller' and role is null) or
        (kind = 'staff' and role in ('agent', 'supervisor', 'auditor', 'admin'))`,
    )
    // Staff accounts are apart from travellers': one address may have one of each.
    .addUniqueConstraint('users_email', ['kind', 'email_normalized'])
    .execute();
  await create(db, 'sessions')
    .addColumn('id', 'text', key)
    .addColumn('user_id', 'text', partOf('users.id'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('refresh_hash', 'text', unique)
    .$call(optionalTexts('previous_refresh_hash', 'rotated_at'))
    .addColumn('aal', 'integer', required)
    .$call(texts('amr', 'created_at', 'last_seen_at', 'expires_at', 'client'))
    .addColumn('searches_sealed', 'text')
    .addCheckConstraint('sessions_aal', sql`aal in (1, 2)`)
    .execute();
  await index(db, 'sessions', 'user_id');
  await create(db, 'one_time_tokens')
    .addColumn('token_hash', 'text', key)
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('application_id', 'text')
    .addColumn('purpose', 'text', required)
    .addColumn('payload_sealed', 'text')
    .addColumn('attempts', 'integer', startsAt(0))
    .$call(texts('created_at', 'expires_at'))
    .addColumn('used_at', 'text')
    .execute();
  await index(db, 'one_time_tokens', 'user_id', 'application_id');
  await create(db, 'auth_factors')
    .addColumn('id', 'text', key)
    .addColumn('user_id', 'text', partOf('users.id'))
    .$call(texts('friendly_name', 'factor_type', 'status'))
    .$call(optionalTexts('secret_sealed', 'phone_sealed'))
    .addColumn('last_step', 'integer')
    .$call(texts('created_at', 'updated_at'))
    .addCheckConstraint('auth_factors_type', oneOf('factor_type', 'totp', 'phone'))
    .addCheckConstraint('auth_factors_status', oneOf('status', 'unverified', 'verified'))
    .addUniqueConstraint('auth_factors_name', ['user_id', 'friendly_name'])
    .execute();
  await create(db, 'factor_challenges')
    .addColumn('id', 'text', key)
    .addColumn('factor_id', 'text', partOf('auth_factors.id'))
    .addColumn('code_hash', 'text')
    .addColumn('attempts', 'integer', startsAt(0))
    .$call(texts('created_at', 'expires_at'))
    .addColumn('used_at', 'text')
    .addColumn('session_id', 'text', (column) =>
      column.references('sessions.id').onDelete('cascade'),
    )
    .execute();
  await index(db, 'factor_challenges', 'factor_id', 'session_id');
  await create(db, 'recovery_codes')
    .addColumn('code_hash', 'text', key)
    .addColumn('user_id', 'text', partOf('users.id'))
    .addColumn('created_at', 'text', required)
    .addColumn('used_at', 'text')
    .execute();
  await index(db, 'recovery_codes', 'user_id');
  await create(db, 'factor_removals')
    .addColumn('id', 'text', key)
    .addColumn('user_id', 'text', (column) => partOf('users.id')(column).unique())
    .$call(texts('requested_at', 'due_at', 'noticed_at'))
    .execute();
  await create(db, 'throttles')
    .addColumn('key', 'text', key)
    .addColumn('tries', 'integer', required)
    .$call(texts('free_at', 'updated_at'))
    .execute();
  await create(db, 'signing_keys')
    .addColumn('id', 'text', key)
    .$call(texts('private_sealed', 'public_jwk', 'created_at', 'signs_from'))
    .addColumn('retired_at', 'text')
    .execute();
}

async function createApplications(db: Kysely<unknown>): Promise<void> {
  await create(db, 'applications')
    .addColumn('id', 'text', key)
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    // What an account leaves behind is decided when it is deleted, not by the database.
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('draft_token_hash', 'text', unique)
    .addColumn('form_version', 'integer', required)
    .addColumn('state', 'text', required)
    .addColumn('version', 'integer', startsAt(1))
    .addColumn('language_code', 'text', required)
    .$call(optionalTexts('package', 'citizenship', 'travel_date', 'name_sealed', 'email_sealed'))
    .$call(optionalTexts('email_index', 'passport_sealed', 'passport_index', 'assigned_to'))
    .$call(optionalTexts('checked_by', 'filed_by', 'official_number_sealed', 'valid_until'))
    .$call(optionalTexts('due_at', 'paused_at', 'hold_reason'))
    .$call(texts('created_at', 'updated_at'))
    .$call(optionalTexts('certified_at', 'closed_at', 'noticed_at', 'purged_at', 'starts_at'))
    .$call(optionalTexts('entered_at', 'pay_by', 'filed_at', 'decided_at', 'person_index'))
    .addColumn('reminded_at', 'text')
    .addColumn('wants_reminder', 'integer', flag('wants_reminder', 0))
    .addCheckConstraint(
      'applications_state',
      oneOf(
        'state',
        ...['draft', 'awaiting_payment', 'paid', 'in_review', 'action_required', 'checked'],
        ...['fee_due', 'filed', 'approved', 'not_authorized', 'cancelled', 'expired'],
      ),
    )
    .execute();
  await index(
    db,
    'applications',
    ...['user_id', 'email_index', 'passport_index', 'person_index', 'updated_at', 'filed_at'],
    ...['decided_at', 'created_at', 'certified_at', 'closed_at'],
  );
  // Lists of the desk are read by state, by who works on it, and in the order in which they are due; what
  // they are narrowed by stands behind, so that what does not match is not looked up.
  const narrowed = ['package', 'citizenship', 'travel_date'];
  const due = ['state', 'due_at', 'id'];
  await indexTogether(db, 'applications', 'state_due', [...due, ...narrowed]);
  const assigned = ['assigned_to', ...due, 'starts_at', ...narrowed];
  await indexTogether(db, 'applications', 'assigned_due', assigned);
  // PostgreSQL takes no other for what is unassigned, in this order.
  await db.schema
    .createIndex('applications_free')
    .on('applications')
    .columns([...due, 'starts_at', ...narrowed])
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

  const ofApplication = partOf('applications.id');
  await create(db, 'application_answers')
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
  await create(db, 'application_documents')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .$call(texts('kind', 'media_type'))
    .addColumn('warnings', 'text')
    .addColumn('byte_count', 'integer', required)
    .addColumn('key_sealed', 'text', required)
    .addColumn('content', sql`bytea`, required)
    .addColumn('created_at', 'text', required)
    .addUniqueConstraint('application_documents_kind', ['application_id', 'kind'])
    .addCheckConstraint(
      'application_documents_kinds',
      oneOf('kind', 'passport_photo', 'portrait', 'portrait_original'),
    )
    .addCheckConstraint(
      'application_documents_types',
      oneOf('media_type', 'image/jpeg', 'image/png'),
    )
    .execute();
  await create(db, 'application_requests')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .$call(texts('state', 'fields'))
    .$call(optionalTexts('reason_sealed', 'created_by'))
    .addColumn('created_at', 'text', required)
    .addColumn('reminders', 'integer', startsAt(0))
    .addColumn('answered_at', 'text')
    .addColumn('version', 'integer', startsAt(1))
    .addColumn('answer_sealed', 'text')
    .addCheckConstraint('application_requests_state', oneOf('state', 'open', 'answered', 'ended'))
    .execute();
  await index(db, 'application_requests', 'application_id');
  await db.schema
    .createIndex('application_requests_open')
    .on('application_requests')
    .column('application_id')
    .unique()
    .where(sql.ref('state'), '=', 'open')
    .execute();
  await create(db, 'application_tasks')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .addColumn('kind', 'text', required)
    .addColumn('subject', 'text', startsAt(''))
    .addColumn('state', 'text', required)
    .$call(optionalTexts('typed_sealed', 'note_sealed', 'done_by', 'done_at'))
    .addColumn('created_at', 'text', required)
    .addColumn('due_at', 'text')
    .addColumn('version', 'integer', startsAt(1))
    .addUniqueConstraint('application_tasks_once', ['application_id', 'kind', 'subject'])
    .addCheckConstraint('application_tasks_state', oneOf('state', 'open', 'done'))
    .execute();
  await db.schema
    .createIndex('application_tasks_due')
    .on('application_tasks')
    .column('due_at')
    .where(sql.ref('state'), '=', 'open')
    .execute();
  await create(db, 'application_amendments')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .addColumn('step', 'integer', required)
    .addColumn('field', 'text', required)
    .$call(optionalTexts('old_sealed', 'new_sealed', 'reason_sealed', 'amended_by'))
    .addColumn('created_at', 'text', required)
    .execute();
  await create(db, 'notes')
    .addColumn('id', 'text', key)
    .addColumn('application_id', 'text', ofApplication)
    .$call(texts('text_sealed', 'written_by', 'created_at'))
    .execute();
  for (const table of ['application_amendments', 'notes']) {
    await indexTogether(db, table, 'application_id', ['application_id', 'created_at']);
  }
}

async function createOrders(db: Kysely<unknown>): Promise<void> {
  const setNull = (column: Builder) => column.references('orders.id').onDelete('set null');
  await create(db, 'contract_texts')
    .addColumn('hash', 'text', key)
    .$call(texts('language_code', 'text', 'created_at'))
    .execute();
  await create(db, 'orders')
    .addColumn('id', 'text', key)
    // Nothing is deleted with an application: orders are kept for the accounts.
    .addColumn('application_id', 'text', (column) => column.notNull().references('applications.id'))
    .$call(texts('reference', 'state', 'package'))
    .addColumn('amount_cents', 'integer', required)
    .addColumn('currency', 'text', required)
    .addColumn('vat_rate', 'integer', required)
    .$call(optionalTexts('vat_country', 'vat_note', 'eur_rate'))
    .$call(texts('language_code', 'start_choice'))
    .addColumn('delivery_hours', 'integer', required)
    .addColumn('guarantee_days', 'integer', required)
    .addColumn('consents', 'text', required)
    .addColumn('terms_hash', 'text', (column) => column.notNull().references('contract_texts.hash'))
    .addColumn('buyer_sealed', 'text', required)
    .addColumn('seller', 'text')
    .addColumn('provider_session_id', 'text', unique)
    .addColumn('provider_payment_id', 'text', unique)
    .addColumn('attempt', 'integer', startsAt(1))
    .addColumn('invoice_number', 'text', unique)
    .addColumn('version', 'integer', startsAt(1))
    .addColumn('created_at', 'text', required)
    .$call(optionalTexts('session_expires_at', 'paid_at', 'fulfilled_at', 'starts_at', 'due_at'))
    .addCheckConstraint(
      'orders_state',
      oneOf(
        'state',
        ...['created', 'paid', 'part_refunded', 'refunded', 'disputed', 'expired', 'failed'],
      ),
    )
    .addCheckConstraint('orders_currency', oneOf('currency', 'EUR', 'USD'))
    .addCheckConstraint('orders_start_choice', oneOf('start_choice', 'now', 'after_14_days'))
    .addCheckConstraint('orders_amount', sql`amount_cents > 0`)
    .addCheckConstraint('orders_vat_rate', sql`vat_rate between 0 and 10000`)
    .execute();
  // Whatever happens at the same moment: one order a traveller waits for money, and one is fulfilled.
  await db.schema
    .createIndex('orders_open')
    .on('orders')
    .column('application_id')
    .unique()
    .where(sql.ref('state'), '=', 'created')
    .execute();
  await db.schema
    .createIndex('orders_fulfilled')
    .on('orders')
    .column('application_id')
    .unique()
    .where(sql.ref('fulfilled_at'), 'is not', null)
    .execute();
  await index(db, 'orders', 'application_id', 'reference', 'state', 'paid_at');
  await create(db, 'payment_events')
    .addColumn('id', 'text', key)
    .addColumn('type', 'text', required)
    .addColumn('order_id', 'text', setNull)
    .addColumn('received_at', 'text', required)
    .$call(optionalTexts('processed_at', 'outcome'))
    .execute();
  await index(db, 'payment_events', 'order_id');
  await create(db, 'withdrawals')
    .addColumn('id', 'text', key)
    .addColumn('order_id', 'text', setNull)
    .$call(texts('name_sealed', 'reference_sealed', 'email_sealed', 'language_code', 'outcome'))
    .addColumn('received_at', 'text', required)
    .$call(optionalTexts('handled_at', 'effective_at', 'asked_at'))
    .addColumn('answer', 'text', (column) => column.check(oneOf('answer', 'yes', 'no')))
    .addCheckConstraint(
      'withdrawals_outcome',
      oneOf('outcome', 'matched', 'repeated', 'late', 'unmatched'),
    )
    .execute();
  await index(db, 'withdrawals', 'order_id');
  await create(db, 'refunds')
    .addColumn('id', 'text', key)
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .$call(texts('kind', 'state'))
    .addColumn('amount_cents', 'integer', required)
    .$call(optionalTexts('reason_sealed', 'answer_sealed', 'proposed_by', 'approved_by'))
    .addColumn('provider_refund_id', 'text', unique)
    .addColumn('attempt', 'integer', startsAt(1))
    .addColumn('failure_code', 'text')
    .addColumn('credit_note_number', 'text', unique)
    .addColumn('version', 'integer', startsAt(1))
    .addColumn('created_at', 'text', required)
    .$call(optionalTexts('proposed_at', 'approved_at', 'sent_at', 'settled_at'))
    .addCheckConstraint(
      'refunds_kind',
      oneOf(
        'kind',
        ...['withdrawal', 'guarantee', 'cancellation', 'goodwill', 'late_payment', 'dispute'],
      ),
    )
    .addCheckConstraint(
      'refunds_state',
      oneOf(
        'state',
        ...['requested', 'proposed', 'approved', 'sent', 'settled', 'failed', 'refused'],
      ),
    )
    .addCheckConstraint('refunds_amount', sql`amount_cents > 0`)
    .execute();
  await index(db, 'refunds', 'order_id', 'state', 'settled_at');
  // Numbers without gaps: raised in the transaction that uses them.
  await create(db, 'counters')
    .addColumn('name', 'text', key)
    .addColumn('value', 'integer', required)
    .execute();
  await create(db, 'stand_in_objects')
    .addColumn('id', 'text', key)
    .$call(texts('kind', 'data'))
    .addColumn('version', 'integer', startsAt(1))
    .addColumn('created_at', 'text', required)
    .addColumn('due_at', 'text')
    .execute();
  await indexTogether(db, 'stand_in_objects', 'kind', ['kind', 'created_at']);
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await create(db, 'contact_messages')
    .addColumn('id', 'text', key)
    .addColumn('state', 'text', required)
    .addColumn('category', 'text')
    .$call(texts('language_code', 'message_sealed', 'email_sealed', 'email_index'))
    .addColumn('application_id', 'text', (column) =>
      column.references('applications.id').onDelete('set null'),
    )
    .addColumn('assigned_to', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('closed_at', 'text')
    .addColumn('version', 'integer', startsAt(1))
    .addCheckConstraint('contact_messages_state', oneOf('state', 'new', 'answered', 'closed'))
    .execute();
  await indexTogether(db, 'contact_messages', 'state', ['state', 'created_at', 'id']);
  await index(db, 'contact_messages', 'email_index', 'closed_at');
  await create(db, 'contact_replies')
    .addColumn('id', 'text', key)
    .addColumn('message_id', 'text', partOf('contact_messages.id'))
    .$call(texts('text_sealed', 'written_by', 'created_at'))
    .execute();
  await index(db, 'contact_replies', 'message_id');
  await create(db, 'leads')
    .addColumn('id', 'text', key)
    .$call(texts('kind', 'state'))
    .addColumn('message_id', 'text', (column) =>
      column.unique().references('contact_messages.id').onDelete('cascade'),
    )
    .addColumn('application_id', 'text', (column) =>
      column.unique().references('applications.id').onDelete('cascade'),
    )
    .addColumn('assigned_to', 'text')
    .$call(texts('created_at', 'updated_at'))
    .addColumn('version', 'integer', startsAt(1))
    .addCheckConstraint('leads_kind', oneOf('kind', 'message', 'application'))
    .addCheckConstraint(
      'leads_state',
      oneOf('state', 'new', 'contacted', 'converted', 'lost', 'do_not_contact'),
    )
    .execute();
  await indexTogether(db, 'leads', 'state', ['state', 'created_at', 'id']);
  await indexTogether(db, 'leads', 'assigned', ['assigned_to', 'state', 'created_at', 'id']);
  await create(db, 'outbox')
    .addColumn('id', 'text', key)
    .$call(texts('channel', 'kind'))
    .$call(optionalTexts('user_id', 'application_id'))
    .$call(texts('to_sealed', 'to_index'))
    .addColumn('client_index', 'text')
    .addColumn('language_code', 'text', required)
    .$call(optionalTexts('parameters_sealed', 'rendered_sealed'))
    .addColumn('state', 'text', required)
    .addColumn('tries', 'integer', startsAt(0))
    .addColumn('due_at', 'text', required)
    .$call(optionalTexts('lease', 'leased_until', 'last_error'))
    .addColumn('created_at', 'text', required)
    .addColumn('sent_at', 'text')
    .addCheckConstraint('outbox_channel', oneOf('channel', 'mail', 'sms'))
    .addCheckConstraint('outbox_state', oneOf('state', 'queued', 'sent', 'kept', 'failed'))
    .execute();
  await indexTogether(db, 'outbox', 'due', ['state', 'due_at']);
  await index(db, 'outbox', 'to_index', 'client_index', 'user_id', 'application_id');
}

async function createLogs(db: Kysely<unknown>): Promise<void> {
  await create(db, 'audit_events')
    .addColumn('id', 'text', key)
    .addColumn('at', 'text', required)
    .addColumn('actor_id', 'text')
    .$call(texts('actor_kind', 'action', 'subject_type'))
    .addColumn('subject_id', 'text')
    .$call(texts('details', 'kept_until'))
    .addCheckConstraint(
      'audit_events_actor',
      oneOf('actor_kind', 'traveller', 'staff', 'operator', 'system', 'anybody'),
    )
    .execute();
  // Read a page at a time, the latest first: all of it, by who did it, to what, and what.
  const indexes = {
    at: ['at', 'id'],
    actor: ['actor_id', 'at', 'id'],
    actor_action: ['actor_id', 'action', 'at', 'id'],
    subject: ['subject_id', 'at', 'id'],
    subject_action: ['subject_id', 'action', 'at', 'id'],
    action: ['action', 'at', 'id'],
    kept_until: ['kept_until'],
  };
  for (const [name, columns] of Object.entries(indexes)) {
    await indexTogether(db, 'audit_events', name, columns);
  }
  await create(db, 'deletions')
    .addColumn('id', 'text', key)
    .$call(texts('subject_type', 'subject_id'))
    .addColumn('how_many', 'integer', startsAt(1))
    .$call(texts('reason', 'deleted_at'))
    .execute();
  await create(db, 'day_counts')
    .$call(texts('day', 'name'))
    .addColumn('value', 'integer', required)
    .addPrimaryKeyConstraint('day_counts_key', ['day', 'name'])
    .execute();
}

const create = (db: Kysely<unknown>, table: string): Table => db.schema.createTable(table);

/** An index for each of these columns. */
async function index(db: Kysely<unknown>, table: string, ...columns: string[]): Promise<void> {
  for (const column of columns) await indexTogether(db, table, column, [column]);
}

async function indexTogether(
  db: Kysely<unknown>,
  table: string,
  name: string,
  columns: string[],
): Promise<void> {
  await db.schema.createIndex(`${table}_${name}`).on(table).columns(columns).execute();
}
