import type { Fixtures } from '../fixture-rows.server';
import type { Database } from '../schema';

/**
 * All rows of the content tables, whether or not pages can show them, in the form of their fixtures:
 * so that the rules for fixtures can be asked about them. What should be JSON and is none stays text.
 */
export async function listStoredRows(db: Database) {
  return {
    vwp_countries: await countries(db),
    eligibility_questions: await questions(db),
    facts: await facts(db),
    guidance_content: await guidance(db),
  } satisfies Record<keyof Fixtures, unknown>;
}
export type StoredRows = Awaited<ReturnType<typeof listStoredRows>>;

async function countries(db: Database) {
  const names = await db.selectFrom('vwp_country_translations').selectAll().execute();
  const rows = await db
    .selectFrom('vwp_countries')
    .select([
      'country_code',
      'country_name',
      'is_eligible',
      'esta_validity_months',
      'remark',
      'citizenship_code',
    ])
    .orderBy('country_code')
    .execute();
  return rows.map((row) => ({
    ...row,
    is_eligible: row.is_eligible === 1,
    translations: byLanguage(
      names.filter(({ country_code }) => country_code === row.country_code),
      ({ country_name, aliases }) => ({ country_name, aliases: parsed(aliases) }),
    ),
  }));
}

async function questions(db: Database) {
  const words = await db.selectFrom('eligibility_question_translations').selectAll().execute();
  const rows = await db
    .selectFrom('eligibility_questions')
    .select([
      'question_key',
      'question_order',
      'is_active',
      'disqualifying_answer',
      'severity',
      'question_text',
      'explanation',
      'hint',
      'rule_reference',
      'rule_url',
    ])
    .orderBy('question_order')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...row,
    is_active: row.is_active === 1,
    translations: byLanguage(
      words.filter(({ question_key }) => question_key === row.question_key),
      ({ question_text, explanation, hint }) => ({ question_text, explanation, hint }),
    ),
  }));
}

async function facts(db: Database) {
  const titles = await db.selectFrom('fact_translations').selectAll().execute();
  const rows = await db
    .selectFrom('facts')
    .select([
      'fact_key',
      'value',
      'unit',
      'valid_from',
      'valid_to',
      'source_title',
      'source_url',
      'checked_on',
      'confidence',
    ])
    .orderBy('fact_key')
    .orderBy('valid_from')
    .execute();
  return rows.map((row) => ({
    ...row,
    translations: byLanguage(
      titles.filter(
        ({ fact_key, valid_from }) => fact_key === row.fact_key && valid_from === row.valid_from,
      ),
      ({ source_title }) => ({ source_title }),
    ),
  }));
}

async function guidance(db: Database) {
  const rows = await db
    .selectFrom('guidance_content')
    .select([
      'content_key',
      'language_code',
      'kind',
      'display_order',
      'is_published',
      'title',
      'summary',
      'estimated_minutes',
      'key_points',
      'mistakes',
      'links',
      'url',
    ])
    .orderBy('display_order')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...row,
    is_published: row.is_published === 1,
    key_points: parsed(row.key_points),
    mistakes: parsed(row.mistakes),
    links: parsed(row.links),
  }));
}

function byLanguage<Row extends { language_code: string }, Words>(
  rows: readonly Row[],
  words: (row: Row) => Words,
): Record<string, Words> {
  return Object.fromEntries(rows.map((row) => [row.language_code, words(row)]));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
