import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

const required = (column: ColumnDefinitionBuilder) => column.notNull();
/** SQLite takes null into a primary key of text, unless it is told not to. */
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey();
const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique();
/** Rows that belong to a user go with it. */
const ofUser = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('users.id').onDelete('cascade');
const oneOf = (column: string, values: readonly string[]) =>
  sql.raw<boolean>(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`);

/** Accounts, their sessions, factors and links; the outbox; what is remembered of what was done. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', key)
    .addColumn('email', 'text', required)
    .addColumn('email_normalized', 'text', required)
    .addColumn('email_verified_at', 'text')
    .addColumn('password_hash', 'text')
    .addColumn('first_name', 'text')
    .addColumn('last_name', 'text')
    .addColumn('language_code', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('role', 'text')
    .addColumn('deactivated_at', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', 'text', required)
    .addCheckConstraint('users_kind', oneOf('kind', ['traveller', 'staff']))
    .addCheckConstraint(
      'users_role',
      sql`(kind = 'traveller' and role is null) or
        (kind = 'staff' and role in ('agent', 'supervisor', 'auditor', 'admin'))`,
    )
    // Staff accounts are apart from travellers': one address may have one of each.
    .addUniqueConstraint('users_email', ['kind', 'email_normalized'])
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', key)
    .addColumn('user_id', 'text', ofUser)
    .addColumn('token_hash', 'text', unique)
    .addColumn('refresh_hash', 'text', (column) => column.unique())
    .addColumn('previous_refresh_hash', 'text')
    .addColumn('rotated_at', 'text')
    .addColumn('aal', 'integer', required)
    .addColumn('amr', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('last_seen_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('client', 'text', required)
    .addCheckConstraint('sessions_aal', sql`aal in (1, 2)`)
    .execute();
  await index(db, 'sessions', 'user_id');

  await db.schema
    .createTable('one_time_tokens')
    .addColumn('token_hash', 'text', key)
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('application_id', 'text')
    .addColumn('purpose', 'text', required)
    .addColumn('payload_sealed', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('used_at', 'text')
    .execute();
  await index(db, 'one_time_tokens', 'user_id');

  await db.schema
    .createTable('auth_factors')
    .addColumn('id', 'text', key)
    .addColumn('user_id', 'text', ofUser)
    .addColumn('friendly_name', 'text', required)
    .addColumn('factor_type', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('secret_sealed', 'text')
    .addColumn('phone_sealed', 'text')
    .addColumn('last_step', 'integer')
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addCheckConstraint('auth_factors_type', oneOf('factor_type', ['totp', 'phone']))
    .addCheckConstraint('auth_factors_status', oneOf('status', ['unverified', 'verified']))
    .addUniqueConstraint('auth_factors_name', ['user_id', 'friendly_name'])
    .execute();

  await db.schema
    .createTable('factor_challenges')
    .addColumn('id', 'text', key)
    .addColumn('factor_id', 'text', (column) =>
      column.notNull().references('auth_factors.id').onDelete('cascade'),
    )
    .addColumn('code_hash', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text', required)
    .addColumn('used_at', 'text')
    .execute();
  await index(db, 'factor_challenges', 'factor_id');

  await db.schema
    .createTable('recovery_codes')
    .addColumn('code_hash', 'text', key)
    .addColumn('user_id', 'text', ofUser)
    .addColumn('created_at', 'text', required)
    .addColumn('used_at', 'text')
    .execute();
  await index(db, 'recovery_codes', 'user_id');

  // A request to take the factors off an account whose owner has lost them all.
  await db.schema
    .createTable('factor_removals')
    .addColumn('id', 'text', key)
    .addColumn('user_id', 'text', (column) => ofUser(column).unique())
    .addColumn('requested_at', 'text', required)
    .addColumn('due_at', 'text', required)
    .addColumn('noticed_at', 'text', required)
    .execute();

  await db.schema
    .createTable('throttles')
    .addColumn('key', 'text', key)
    .addColumn('tries', 'integer', required)
    .addColumn('free_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute();

  await db.schema
    .createTable('signing_keys')
    .addColumn('id', 'text', key)
    .addColumn('private_sealed', 'text', required)
    .addColumn('public_jwk', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('signs_from', 'text', required)
    .addColumn('retired_at', 'text')
    .execute();

  await db.schema
    .createTable('outbox')
    .addColumn('id', 'text', key)
    .addColumn('channel', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('user_id', 'text')
    .addColumn('application_id', 'text')
    .addColumn('to_sealed', 'text', required)
    .addColumn('to_index', 'text', required)
    .addColumn('client_index', 'text')
    .addColumn('language_code', 'text', required)
    .addColumn('parameters_sealed', 'text')
    .addColumn('rendered_sealed', 'text')
    .addColumn('state', 'text', required)
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'text', required)
    .addColumn('lease', 'text')
    .addColumn('leased_until', 'text')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'text', required)
    .addColumn('sent_at', 'text')
    .addCheckConstraint('outbox_channel', oneOf('channel', ['mail', 'sms']))
    .addCheckConstraint('outbox_state', oneOf('state', ['queued', 'sent', 'kept', 'failed']))
    .execute();
  await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'due_at']).execute();
  for (const column of ['to_index', 'client_index', 'user_id']) await index(db, 'outbox', column);

  await db.schema
    .createTable('audit_events')
    .addColumn('id', 'text', key)
    .addColumn('at', 'text', required)
    .addColumn('actor_id', 'text')
    .addColumn('actor_kind', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('subject_type', 'text', required)
    .addColumn('subject_id', 'text')
    .addColumn('details', 'text', required)
    .addColumn('kept_until', 'text', required)
    .addCheckConstraint(
      'audit_events_actor',
      oneOf('actor_kind', ['traveller', 'staff', 'operator', 'system', 'anybody']),
    )
    .execute();
  await index(db, 'audit_events', 'at');
  await index(db, 'audit_events', 'actor_id');
  await index(db, 'audit_events', 'subject_id');

  await db.schema
    .createTable('deletions')
    .addColumn('id', 'text', key)
    .addColumn('subject_type', 'text', required)
    .addColumn('subject_id', 'text', required)
    .addColumn('how_many', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('reason', 'text', required)
    .addColumn('deleted_at', 'text', required)
    .execute();
}

async function index(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
}
