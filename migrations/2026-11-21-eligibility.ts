import { type Kysely, sql } from 'kysely';

/** Countries, questions and saved assessments of the eligibility check. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('vwp_countries')
    .addColumn('country_code', 'text', (column) =>
      column.primaryKey().check(sql`length(country_code) = 2`),
    )
    .addColumn('country_name', 'text', (column) => column.notNull())
    .addColumn('is_eligible', 'integer', (column) =>
      column.notNull().check(sql`is_eligible in (0, 1)`),
    )
    .addColumn('esta_validity_months', 'integer')
    .addColumn('remark', 'text')
    .addColumn('citizenship_code', 'text')
    .execute();

  await db.schema
    .createTable('vwp_country_translations')
    .addColumn('country_code', 'text', (column) =>
      column
        .notNull()
        .references('vwp_countries.country_code')
        .onDelete('cascade')
        .onUpdate('cascade'),
    )
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('country_name', 'text', (column) => column.notNull())
    .addColumn('aliases', 'text', (column) => column.notNull().defaultTo('[]'))
    .addPrimaryKeyConstraint('vwp_country_translations_pk', ['country_code', 'language_code'])
    .execute();

  await db.schema
    .createTable('eligibility_questions')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('question_key', 'text', (column) =>
      column
        .notNull()
        .unique()
        .check(sql`length(question_key) between 1 and 40`),
    )
    .addColumn('question_text', 'text', (column) => column.notNull())
    .addColumn('explanation', 'text', (column) => column.notNull())
    .addColumn('hint', 'text')
    .addColumn('disqualifying_answer', 'text', (column) =>
      column.notNull().check(sql`disqualifying_answer in ('yes', 'no')`),
    )
    .addColumn('severity', 'text', (column) =>
      column
        .notNull()
        .defaultTo('visa_required')
        .check(sql`severity in ('visa_required', 'case_by_case')`),
    )
    .addColumn('rule_reference', 'text')
    .addColumn('rule_url', 'text')
    .addColumn('is_active', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(1)
        .check(sql`is_active in (0, 1)`),
    )
    .addColumn('question_order', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('eligibility_question_translations')
    .addColumn('question_key', 'text', (column) =>
      column
        .notNull()
        .references('eligibility_questions.question_key')
        .onDelete('cascade')
        .onUpdate('cascade'),
    )
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('question_text', 'text', (column) => column.notNull())
    .addColumn('explanation', 'text', (column) => column.notNull())
    .addColumn('hint', 'text')
    .addPrimaryKeyConstraint('eligibility_question_translations_pk', [
      'question_key',
      'language_code',
    ])
    .execute();

  await db.schema
    .createTable('eligibility_assessments')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('session_id', 'text', (column) => column.notNull().unique())
    .addColumn('country_code', 'text', (column) => column.notNull())
    .addColumn('is_country_eligible', 'integer', (column) =>
      column.notNull().check(sql`is_country_eligible in (0, 1)`),
    )
    .addColumn('assessment_data', 'text', (column) => column.notNull())
    .addColumn('is_eligible', 'integer', (column) =>
      column.notNull().check(sql`is_eligible in (0, 1)`),
    )
    .addColumn('disqualifying_factors', 'text', (column) => column.notNull())
    .addColumn('factor_keys', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('language_code', 'text', (column) => column.notNull())
    .addColumn('completed_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('eligibility_assessments_completed_at')
    .on('eligibility_assessments')
    .column('completed_at')
    .execute();
}
