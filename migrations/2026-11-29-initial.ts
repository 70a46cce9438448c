import {
  type ColumnDefinitionBuilder,
  type CreateIndexBuilder,
  type CreateTableBuilder,
  type Kysely,
  sql,
} from 'kysely';

type Builder = ColumnDefinitionBuilder;
type Table = CreateTableBuilder<string, string>;

const required = (column: Builder) => column.notNull();
const unique = (column: Builder) => column.unique();
const numbered = (column: Builder) => column.primaryKey().autoIncrement();
const goesWith = (owner: string) => (column: Builder) =>
  column.references(owner).onDelete('cascade');
const partOf = (owner: string) => (column: Builder) => goesWith(owner)(column).notNull();
const oneOf = (column: string, values: string) =>
  sql.raw<boolean>(`${column} in ('${values.split(' ').join("', '")}')`);

/**
 * Adds columns of text, or of the type that stands behind the name, as `name: integer`; a flag is 0 or
 * 1. A column that may be empty is `name?`, and `name = value` has a value at first.
 */
const columns =
  (...described: string[]) =>
  (table: Table) =>
    described.reduce((made, text) => {
      const [, name = '', optional, type = 'text', initial] =
        /^(\w+)(\?)?(?:: (\w+))?(?: = (.*))?$/.exec(text) ?? [];
      return made.addColumn(name, type === 'text' ? 'text' : 'integer', (column) => {
        if (optional) return column;
        const value = type === 'text' ? initial : Number(initial);
        const built = initial === undefined ? column.notNull() : column.notNull().defaultTo(value);
        return type === 'flag' ? built.check(sql`${sql.ref(name)} in (0, 1)`) : built;
      });
    }, table);

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
    .$call(columns('country_name', 'is_eligible: flag', 'esta_validity_months?: integer'))
    .$call(columns('remark?', 'citizenship_code?'))
    .execute();
  await create(db, 'vwp_country_translations')
    .addColumn('country_code', 'text', (column) =>
      partOf('vwp_countries.country_code')(column).onUpdate('cascade'),
    )
    .$call(columns('language_code', 'country_name', 'aliases = []'))
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
    .$call(columns('question_text', 'explanation', 'hint?'))
    .addColumn('disqualifying_answer', 'text', (column) =>
      column.notNull().check(oneOf('disqualifying_answer', 'yes no')),
    )
    .addColumn('severity', 'text', (column) =>
      column
        .notNull()
        .defaultTo('visa_required')
        .check(oneOf('severity', 'visa_required case_by_case')),
    )
    .$call(columns('rule_reference?', 'rule_url?', 'is_active: flag = 1'))
    .$call(columns('question_order: integer = 0'))
    .execute();
  await create(db, 'eligibility_question_translations')
    .addColumn('question_key', 'text', (column) =>
      partOf('eligibility_questions.question_key')(column).onUpdate('cascade'),
    )
    .$call(columns('language_code', 'question_text', 'explanation', 'hint?'))
    .addPrimaryKeyConstraint('eligibility_question_translations_pk', [
      'question_key',
      'language_code',
    ])
    .execute();
  await create(db, 'facts')
    .addColumn('id', 'integer', numbered)
    .$call(columns('fact_key', 'value', 'unit', 'valid_from', 'valid_to?', 'source_title'))
    .$call(columns('source_url', 'checked_on', 'confidence?'))
    .addUniqueConstraint('facts_period', ['fact_key', 'valid_from'])
    .addCheckConstraint('facts_value', sql.raw(`(not ${HAS_NUMBERS} or ${IS_NUMBER})`))
    .addCheckConstraint('facts_valid_from', sql.raw(isDay('valid_from')))
    .addCheckConstraint('facts_valid_to', sql.raw(`(valid_to is null or ${isDay('valid_to')})`))
    .addCheckConstraint('facts_checked_on', sql.raw(isDay('checked_on')))
    .addCheckConstraint('facts_source_url', sql.raw(IS_URL))
    .execute();
  await create(db, 'fact_translations')
    .$call(columns('fact_key', 'valid_from', 'language_code', 'source_title'))
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
    .$call(columns('content_key', 'language_code'))
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(oneOf('kind', 'step tip warning resource')),
    )
    .$call(columns('display_order: integer', 'is_published: flag = 1', 'title', 'summary?'))
    .$call(columns('estimated_minutes?: integer', 'key_points = []', 'mistakes = []', 'links = []'))
    .$call(columns('url?'))
    .addUniqueConstraint('guidance_content_words', ['content_key', 'language_code'])
    .execute();
  await create(db, 'shipped_content', 'subject').$call(columns('hash')).execute();
  await create(db, 'owner_edits', 'id')
    .$call(columns('area', 'subject', 'version: integer', 'value', 'from_day?', 'made_by?'))
    .$call(columns('made_at'))
    .addUniqueConstraint('owner_edits_version', ['area', 'subject', 'version'])
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
    .$call(columns('country_code', 'is_country_eligible: flag', 'assessment_data'))
    .$call(columns('is_eligible: flag', 'disqualifying_factors', 'factor_keys', 'outcome'))
    .$call(columns('language_code', 'completed_at'))
    .execute();
  await index(db, 'eligibility_assessments', 'completed_at');
  await create(db, 'deleted_assessments', 'session_hash').$call(columns('deleted_at')).execute();
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await create(db, 'users', 'id')
    .$call(columns('email', 'email_normalized', 'email_verified_at?', 'password_hash?'))
    .$call(columns('first_name?', 'last_name?', 'language_code', 'kind', 'role?'))
    .$call(columns('is_owner: flag = 0', 'deactivated_at?', 'version: integer = 1', 'created_at'))
    .addCheckConstraint('users_kind', oneOf('kind', 'traveller staff'))
    .addCheckConstraint(
      'users_role',
      sql`(kind = 'traveller' and role is null) or
        (kind = 'staff' and role in ('agent', 'supervisor', 'auditor', 'admin', 'owner'))`,
    )
    // Staff accounts are apart from travellers': one address may have one of each.
    .addUniqueConstraint('users_email', ['kind', 'email_normalized'])
    .execute();
  await create(db, 'sessions', 'id')
    .addColumn('user_id', 'text', partOf('users.id'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('refresh_hash', 'text', unique)
    .$call(columns('previous_refresh_hash?', 'rotated_at?', 'aal: integer', 'amr', 'created_at'))
    .$call(columns('last_seen_at', 'expires_at', 'client', 'searches_sealed?', 'another_day?'))
    .addCheckConstraint('sessions_aal', sql`aal in (1, 2)`)
    .execute();
  await index(db, 'sessions', 'user_id');
  await create(db, 'one_time_tokens', 'token_hash')
    .addColumn('user_id', 'text', goesWith('users.id'))
    .$call(columns('application_id?', 'purpose', 'payload_sealed?', 'attempts: integer = 0'))
    .$call(columns('created_at', 'expires_at', 'used_at?'))
    .execute();
  await index(db, 'one_time_tokens', 'user_id', 'application_id');
  await create(db, 'auth_factors', 'id')
    .addColumn('user_id', 'text', partOf('users.id'))
    .$call(columns('friendly_name', 'factor_type', 'status', 'secret_sealed?', 'phone_sealed?'))
    .$call(columns('last_step?: integer', 'created_at', 'updated_at'))
    .addCheckConstraint('auth_factors_type', oneOf('factor_type', 'totp phone'))
    .addCheckConstraint('auth_factors_status', oneOf('status', 'unverified verified'))
    .addUniqueConstraint('auth_factors_name', ['user_id', 'friendly_name'])
    .execute();
  await create(db, 'factor_challenges', 'id')
    .addColumn('factor_id', 'text', partOf('auth_factors.id'))
    .$call(columns('code_hash?', 'attempts: integer = 0', 'created_at', 'expires_at', 'used_at?'))
    .addColumn('session_id', 'text', goesWith('sessions.id'))
    .execute();
  await index(db, 'factor_challenges', 'factor_id', 'session_id');
  await create(db, 'recovery_codes', 'code_hash')
    .addColumn('user_id', 'text', partOf('users.id'))
    .$call(columns('created_at', 'used_at?'))
    .execute();
  await index(db, 'recovery_codes', 'user_id');
  await create(db, 'factor_removals', 'id')
    .addColumn('user_id', 'text', (column) => partOf('users.id')(column).unique())
    .$call(columns('requested_at', 'due_at', 'noticed_at'))
    .execute();
  await create(db, 'throttles', 'key')
    .$call(columns('tries: integer', 'free_at', 'updated_at'))
    .execute();
  await create(db, 'signing_keys', 'id')
    .$call(columns('private_sealed', 'public_jwk', 'created_at', 'signs_from', 'retired_at?'))
    .execute();
}

async function createApplications(db: Kysely<unknown>): Promise<void> {
  await create(db, 'applications', 'id')
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    // What an account leaves behind is decided when it is deleted, not by the database.
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('draft_token_hash', 'text', unique)
    .$call(columns('form_version: integer', 'state', 'version: integer = 1', 'language_code'))
    .$call(columns('package?', 'citizenship?', 'travel_date?', 'name_sealed?', 'email_sealed?'))
    .$call(columns('email_index?', 'passport_sealed?', 'passport_index?', 'assigned_to?'))
    .$call(columns('checked_by?', 'filed_by?', 'official_number_sealed?', 'valid_until?'))
    .$call(columns('due_at?', 'paused_at?', 'hold_reason?', 'created_at', 'updated_at'))
    .$call(columns('certified_at?', 'closed_at?', 'noticed_at?', 'purged_at?', 'starts_at?'))
    .$call(columns('entered_at?', 'pay_by?', 'filed_at?', 'decided_at?', 'person_index?'))
    .$call(columns('reminded_at?', 'wants_reminder: flag = 0', 'look_on?', 'birth_sealed?'))
    .$call(columns('worked_at?', 'entered_sections?', 'family_index?', 'official_index?'))
    .$call(columns('code_at?', 'code_sealed?'))
    .addCheckConstraint(
      'applications_state',
      oneOf(
        'state',
        'draft awaiting_payment paid in_review action_required checked fee_due filed ' +
          'approved not_authorized cancelled expired',
      ),
    )
    .execute();
  await index(
    db,
    'applications',
    ...['user_id', 'email_index', 'passport_index', 'person_index', 'updated_at', 'filed_at'],
    ...['decided_at', 'created_at', 'certified_at', 'closed_at', 'look_on', 'family_index'],
    'official_index',
  );
  await indexTogether(db, 'applications', 'worked_at', ['state', 'worked_at']);
  // Lists of the desk are read by state, by who works on it, and in the order in which they are due; what
  // they are narrowed by stands behind, so that what does not match is not looked up.
  const narrowed = ['package', 'citizenship', 'travel_date'];
  const due = ['state', 'due_at', 'id'];
  await indexTogether(db, 'applications', 'state_due', [...due, ...narrowed]);
  const assigned = ['assigned_to', ...due, 'starts_at', ...narrowed];
  await indexTogether(db, 'applications', 'assigned_due', assigned);
  // PostgreSQL takes no other for what is unassigned, in this order.
  await indexTogether(db, 'applications', 'free', [...due, 'starts_at', ...narrowed], (made) =>
    made.where(sql.ref('assigned_to'), 'is', null),
  );
  // Of what has come to its end, the latest first; what nobody paid for is not the desk's.
  await indexTogether(
    db,
    'applications',
    'ended',
    ['state', 'closed_at', 'id', 'assigned_to', ...narrowed],
    (made) =>
      made.where(sql.ref('closed_at'), 'is not', null).where(sql.ref('due_at'), 'is not', null),
  );

  const ofApplication = partOf('applications.id');
  await create(db, 'application_answers', 'id')
    .addColumn('application_id', 'text', ofApplication)
    .$call(columns('step: integer', 'sealed', 'is_complete: integer', 'version: integer'))
    .$call(columns('saved_at'))
    .addUniqueConstraint('application_answers_step', ['application_id', 'step'])
    .addCheckConstraint('application_answers_steps', sql`step between 1 and 8`)
    .addCheckConstraint('application_answers_complete', sql`is_complete in (0, 1)`)
    .execute();
  await create(db, 'application_documents', 'id')
    .addColumn('application_id', 'text', ofApplication)
    .$call(columns('kind', 'media_type', 'warnings?', 'byte_count: integer', 'key_sealed'))
    .addColumn('content', sql`bytea`, required)
    .$call(columns('created_at'))
    .addUniqueConstraint('application_documents_kind', ['application_id', 'kind'])
    .addCheckConstraint(
      'application_documents_kinds',
      oneOf('kind', 'passport_photo portrait portrait_original'),
    )
    .addCheckConstraint('application_documents_types', oneOf('media_type', 'image/jpeg image/png'))
    .execute();
  await create(db, 'application_requests', 'id')
    .addColumn('application_id', 'text', ofApplication)
    .$call(columns('state', 'fields', 'reason_sealed?', 'created_by?', 'created_at'))
    .$call(columns('reminders: integer = 0', 'answered_at?', 'version: integer = 1'))
    .$call(columns('answer_sealed?'))
    .addCheckConstraint('application_requests_state', oneOf('state', 'open answered ended'))
    .execute();
  await index(db, 'application_requests', 'application_id');
  await indexTogether(db, 'application_requests', 'open', ['application_id'], (made) =>
    made.unique().where(sql.ref('state'), '=', 'open'),
  );
  await create(db, 'application_tasks', 'id')
    .addColumn('application_id', 'text', ofApplication)
    .$call(columns('kind', 'subject = ', 'state', 'typed_sealed?', 'note_sealed?', 'done_by?'))
    .$call(columns('done_at?', 'created_at', 'due_at?', 'version: integer = 1'))
    .addUniqueConstraint('application_tasks_once', ['application_id', 'kind', 'subject'])
    .addCheckConstraint('application_tasks_state', oneOf('state', 'open done'))
    .execute();
  await indexTogether(db, 'application_tasks', 'due', ['due_at'], (made) =>
    made.where(sql.ref('state'), '=', 'open'),
  );
  await create(db, 'application_amendments', 'id')
    .addColumn('application_id', 'text', ofApplication)
    .$call(columns('step: integer', 'field', 'old_sealed?', 'new_sealed?', 'reason_sealed?'))
    .$call(columns('amended_by?', 'created_at'))
    .execute();
  await create(db, 'notes', 'id')
    .addColumn('application_id', 'text', ofApplication)
    .$call(columns('text_sealed', 'written_by', 'created_at'))
    .execute();
  for (const table of ['application_amendments', 'notes']) {
    await indexTogether(db, table, 'application_id', ['application_id', 'created_at']);
  }
}

async function createOrders(db: Kysely<unknown>): Promise<void> {
  const setNull = (column: Builder) => column.references('orders.id').onDelete('set null');
  await create(db, 'contract_texts', 'hash')
    .$call(columns('language_code', 'text', 'created_at'))
    .execute();
  await create(db, 'orders', 'id')
    // Nothing is deleted with an application: orders are kept for the accounts.
    .addColumn('application_id', 'text', (column) => column.notNull().references('applications.id'))
    .$call(columns('reference', 'state', 'package', 'amount_cents: integer', 'currency'))
    .$call(columns('vat_rate: integer', 'vat_country?', 'vat_note?', 'eur_rate?', 'language_code'))
    .$call(columns('start_choice', 'delivery_hours: integer', 'guarantee_days: integer'))
    .$call(columns('consents'))
    .addColumn('terms_hash', 'text', (column) => column.notNull().references('contract_texts.hash'))
    .$call(columns('buyer_sealed', 'seller?'))
    .addColumn('provider_session_id', 'text', unique)
    .addColumn('provider_payment_id', 'text', unique)
    .$call(columns('attempt: integer = 1'))
    .addColumn('invoice_number', 'text', unique)
    .$call(columns('version: integer = 1', 'created_at', 'session_expires_at?', 'paid_at?'))
    .$call(columns('fulfilled_at?', 'starts_at?', 'due_at?'))
    .addCheckConstraint(
      'orders_state',
      oneOf('state', 'created paid part_refunded refunded disputed expired failed'),
    )
    .addCheckConstraint('orders_currency', oneOf('currency', 'EUR USD'))
    .addCheckConstraint('orders_start_choice', oneOf('start_choice', 'now after_14_days'))
    .addCheckConstraint('orders_amount', sql`amount_cents > 0`)
    .addCheckConstraint('orders_vat_rate', sql`vat_rate between 0 and 10000`)
    .execute();
  // Whatever happens at the same moment: one order a traveller waits for money, and one is fulfilled.
  await indexTogether(db, 'orders', 'open', ['application_id'], (made) =>
    made.unique().where(sql.ref('state'), '=', 'created'),
  );
  await indexTogether(db, 'orders', 'fulfilled', ['application_id'], (made) =>
    made.unique().where(sql.ref('fulfilled_at'), 'is not', null),
  );
  await index(db, 'orders', 'application_id', 'reference', 'state', 'paid_at');
  await create(db, 'payment_events', 'id')
    .$call(columns('type'))
    .addColumn('order_id', 'text', setNull)
    .$call(columns('received_at', 'processed_at?', 'outcome?'))
    .execute();
  await index(db, 'payment_events', 'order_id');
  await create(db, 'withdrawals', 'id')
    .addColumn('order_id', 'text', setNull)
    .$call(columns('name_sealed', 'reference_sealed', 'email_sealed', 'language_code', 'outcome'))
    .$call(columns('received_at', 'handled_at?', 'effective_at?', 'asked_at?'))
    .addColumn('answer', 'text', (column) => column.check(oneOf('answer', 'yes no')))
    .addCheckConstraint('withdrawals_outcome', oneOf('outcome', 'matched repeated late unmatched'))
    .execute();
  await index(db, 'withdrawals', 'order_id');
  await create(db, 'refunds', 'id')
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .$call(columns('kind', 'state', 'amount_cents: integer', 'reason_sealed?', 'answer_sealed?'))
    .$call(columns('proposed_by?', 'approved_by?'))
    .addColumn('provider_refund_id', 'text', unique)
    .$call(columns('attempt: integer = 1', 'failure_code?'))
    .addColumn('credit_note_number', 'text', unique)
    .$call(columns('version: integer = 1', 'created_at', 'proposed_at?', 'approved_at?'))
    .$call(columns('sent_at?', 'settled_at?'))
    .addCheckConstraint(
      'refunds_kind',
      oneOf('kind', 'withdrawal guarantee cancellation goodwill late_payment dispute'),
    )
    .addCheckConstraint(
      'refunds_state',
      oneOf('state', 'requested proposed approved sent settled failed refused'),
    )
    .addCheckConstraint('refunds_amount', sql`amount_cents > 0`)
    .execute();
  await index(db, 'refunds', 'order_id', 'state', 'settled_at');
  await create(db, 'invoice_corrections', 'id')
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .$call(columns('buyer_sealed', 'corrected_at'))
    .addColumn('credit_note_number', 'text', (column) => column.notNull().unique())
    .addColumn('invoice_number', 'text', (column) => column.notNull().unique())
    .execute();
  await index(db, 'invoice_corrections', 'order_id', 'corrected_at');
  // Numbers without gaps: raised in the transaction that uses them.
  await create(db, 'counters', 'name').$call(columns('value: bigint')).execute();
  await create(db, 'stand_in_objects', 'id')
    .$call(columns('kind', 'data', 'version: integer = 1', 'created_at', 'due_at?'))
    .execute();
  await indexTogether(db, 'stand_in_objects', 'kind', ['kind', 'created_at']);
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await create(db, 'contact_messages', 'id')
    .$call(columns('state', 'category?', 'language_code', 'message_sealed', 'email_sealed'))
    .$call(columns('email_index'))
    .addColumn('application_id', 'text', (column) =>
      column.references('applications.id').onDelete('set null'),
    )
    .$call(columns('assigned_to?', 'created_at', 'closed_at?', 'version: integer = 1'))
    .addCheckConstraint('contact_messages_state', oneOf('state', 'new answered closed'))
    .execute();
  await indexTogether(db, 'contact_messages', 'state', ['state', 'created_at', 'id']);
  await index(db, 'contact_messages', 'email_index', 'closed_at', 'application_id');
  await create(db, 'contact_replies', 'id')
    .addColumn('message_id', 'text', goesWith('contact_messages.id'))
    .addColumn('application_id', 'text', goesWith('applications.id'))
    .$call(columns('text_sealed', 'fields?', 'written_by', 'created_at', 'sent_at?'))
    .execute();
  await index(db, 'contact_replies', 'message_id', 'application_id');
  await create(db, 'saved_replies')
    .addColumn('id', 'integer', numbered)
    .$call(columns('reply_key', 'language_code', 'field?', 'title', 'body'))
    .addUniqueConstraint('saved_replies_words', ['reply_key', 'language_code'])
    .execute();
  await create(db, 'leads', 'id')
    .$call(columns('kind', 'state'))
    .addColumn('message_id', 'text', (column) => goesWith('contact_messages.id')(column).unique())
    .addColumn('application_id', 'text', (column) => goesWith('applications.id')(column).unique())
    .$call(columns('assigned_to?', 'created_at', 'updated_at', 'version: integer = 1'))
    .addCheckConstraint('leads_kind', oneOf('kind', 'message application'))
    .addCheckConstraint(
      'leads_state',
      oneOf('state', 'new contacted converted lost do_not_contact'),
    )
    .execute();
  await indexTogether(db, 'leads', 'state', ['state', 'created_at', 'id']);
  await indexTogether(db, 'leads', 'assigned', ['assigned_to', 'state', 'created_at', 'id']);
  await create(db, 'outbox', 'id')
    .$call(columns('channel', 'kind', 'user_id?', 'application_id?', 'to_sealed', 'to_index'))
    .$call(columns('client_index?', 'language_code', 'parameters_sealed?', 'rendered_sealed?'))
    .$call(columns('state', 'tries: integer = 0', 'due_at', 'lease?', 'leased_until?'))
    .$call(columns('last_error?', 'created_at', 'sent_at?'))
    .addCheckConstraint('outbox_channel', oneOf('channel', 'mail sms'))
    .addCheckConstraint('outbox_state', oneOf('state', 'queued sent kept failed'))
    .execute();
  await indexTogether(db, 'outbox', 'due', ['state', 'due_at']);
  await index(db, 'outbox', 'to_index', 'client_index', 'user_id', 'application_id');
}

async function createLogs(db: Kysely<unknown>): Promise<void> {
  await create(db, 'audit_events', 'id')
    .$call(columns('at', 'actor_id?', 'actor_kind', 'action', 'subject_type', 'subject_id?'))
    .$call(columns('details', 'kept_until'))
    .addCheckConstraint(
      'audit_events_actor',
      oneOf('actor_kind', 'traveller staff operator system anybody'),
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
  await create(db, 'deletions', 'id')
    .$call(columns('subject_type', 'subject_id', 'how_many: integer = 1', 'reason', 'deleted_at'))
    .execute();
  await create(db, 'day_counts')
    .$call(columns('day', 'name', 'value: integer'))
    .addPrimaryKeyConstraint('day_counts_key', ['day', 'name'])
    .execute();
}

function create(db: Kysely<unknown>, table: string, key?: string): Table {
  const made = db.schema.createTable(table);
  // SQLite takes null into a primary key of text, unless it is told not to.
  return key === undefined
    ? made
    : made.addColumn(key, 'text', (column) => column.notNull().primaryKey());
}

async function index(db: Kysely<unknown>, table: string, ...names: string[]): Promise<void> {
  for (const column of names) await indexTogether(db, table, column, [column]);
}

async function indexTogether(
  db: Kysely<unknown>,
  table: string,
  name: string,
  names: string[],
  build = (made: CreateIndexBuilder) => made,
): Promise<void> {
  await build(db.schema.createIndex(`${table}_${name}`).on(table).columns(names)).execute();
}
