import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

const required = (column: ColumnDefinitionBuilder) => column.notNull();
/** SQLite takes null into a primary key of text, unless it is told not to. */
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey();
const unique = (column: ColumnDefinitionBuilder) => column.unique();
const oneOf = (column: string, values: readonly string[]) =>
  sql.raw<boolean>(`${column} in (${values.map((value) => `'${value}'`).join(', ')})`);

/** Orders, what the payment provider tells about them, refunds and withdrawals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Many orders have the same terms; each keeps those that it was placed under.
  await db.schema
    .createTable('contract_texts')
    .addColumn('hash', 'text', key)
    .addColumn('language_code', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('created_at', 'text', required)
    .execute();

  await db.schema
    .createTable('orders')
    .addColumn('id', 'text', key)
    // Nothing is deleted with an application: orders are kept for the accounts.
    .addColumn('application_id', 'text', (column) => column.notNull().references('applications.id'))
    .addColumn('reference', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('package', 'text', required)
    .addColumn('amount_cents', 'integer', required)
    .addColumn('currency', 'text', required)
    .addColumn('vat_rate', 'integer', required)
    .addColumn('vat_country', 'text')
    .addColumn('vat_note', 'text')
    .addColumn('eur_rate', 'text')
    .addColumn('language_code', 'text', required)
    .addColumn('start_choice', 'text', required)
    .addColumn('delivery_hours', 'integer', required)
    .addColumn('guarantee_days', 'integer', required)
    .addColumn('consents', 'text', required)
    .addColumn('terms_hash', 'text', (column) => column.notNull().references('contract_texts.hash'))
    .addColumn('buyer_sealed', 'text', required)
    .addColumn('seller', 'text')
    .addColumn('provider_session_id', 'text', unique)
    .addColumn('provider_payment_id', 'text', unique)
    .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('invoice_number', 'text', unique)
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', 'text', required)
    .addColumn('session_expires_at', 'text')
    .addColumn('paid_at', 'text')
    .addColumn('fulfilled_at', 'text')
    .addColumn('starts_at', 'text')
    .addColumn('due_at', 'text')
    .addCheckConstraint(
      'orders_state',
      oneOf('state', [
        'created',
        'paid',
        'part_refunded',
        'refunded',
        'disputed',
        'expired',
        'failed',
      ]),
    )
    .addCheckConstraint('orders_currency', oneOf('currency', ['EUR', 'USD']))
    .addCheckConstraint('orders_start_choice', oneOf('start_choice', ['now', 'after_14_days']))
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
  for (const column of ['application_id', 'reference', 'state', 'paid_at']) {
    await db.schema.createIndex(`orders_${column}`).on('orders').column(column).execute();
  }

  await db.schema
    .createTable('payment_events')
    .addColumn('id', 'text', key)
    .addColumn('type', 'text', required)
    .addColumn('order_id', 'text', (column) => column.references('orders.id').onDelete('set null'))
    .addColumn('received_at', 'text', required)
    .addColumn('processed_at', 'text')
    .addColumn('outcome', 'text')
    .execute();
  await db.schema
    .createIndex('payment_events_order_id')
    .on('payment_events')
    .column('order_id')
    .execute();

  await db.schema
    .createTable('withdrawals')
    .addColumn('id', 'text', key)
    .addColumn('order_id', 'text', (column) => column.references('orders.id').onDelete('set null'))
    .addColumn('name_sealed', 'text', required)
    .addColumn('reference_sealed', 'text', required)
    .addColumn('email_sealed', 'text', required)
    .addColumn('language_code', 'text', required)
    .addColumn('outcome', 'text', required)
    .addColumn('received_at', 'text', required)
    .addColumn('handled_at', 'text')
    .addCheckConstraint(
      'withdrawals_outcome',
      oneOf('outcome', ['matched', 'repeated', 'late', 'unmatched']),
    )
    .execute();
  await db.schema
    .createIndex('withdrawals_order_id')
    .on('withdrawals')
    .column('order_id')
    .execute();

  await db.schema
    .createTable('refunds')
    .addColumn('id', 'text', key)
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('kind', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('amount_cents', 'integer', required)
    .addColumn('reason_sealed', 'text')
    .addColumn('answer_sealed', 'text')
    .addColumn('proposed_by', 'text')
    .addColumn('approved_by', 'text')
    .addColumn('provider_refund_id', 'text', unique)
    .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('failure_code', 'text')
    .addColumn('credit_note_number', 'text', unique)
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', 'text', required)
    .addColumn('proposed_at', 'text')
    .addColumn('approved_at', 'text')
    .addColumn('sent_at', 'text')
    .addColumn('settled_at', 'text')
    .addCheckConstraint(
      'refunds_kind',
      oneOf('kind', [
        'withdrawal',
        'guarantee',
        'cancellation',
        'goodwill',
        'late_payment',
        'dispute',
      ]),
    )
    .addCheckConstraint(
      'refunds_state',
      oneOf('state', ['requested', 'proposed', 'approved', 'sent', 'settled', 'failed', 'refused']),
    )
    .addCheckConstraint('refunds_amount', sql`amount_cents > 0`)
    .execute();
  for (const column of ['order_id', 'state', 'settled_at']) {
    await db.schema.createIndex(`refunds_${column}`).on('refunds').column(column).execute();
  }

  // Numbers without gaps: raised in the transaction that uses them.
  await db.schema
    .createTable('counters')
    .addColumn('name', 'text', key)
    .addColumn('value', 'integer', required)
    .execute();

  // What the stand-in of the payment provider remembers; empty where there is a real one.
  await db.schema
    .createTable('stand_in_objects')
    .addColumn('id', 'text', key)
    .addColumn('kind', 'text', required)
    .addColumn('data', 'text', required)
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('created_at', 'text', required)
    // Of an event that is to be delivered.
    .addColumn('due_at', 'text')
    .execute();
  await db.schema
    .createIndex('stand_in_objects_kind')
    .on('stand_in_objects')
    .columns(['kind', 'created_at'])
    .execute();
}
