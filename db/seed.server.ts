import type { Kysely } from 'kysely';

import { inImmediateTransaction, queryBuilder, type SqliteFile } from './connection.server';
import { FIXTURE_TABLES, type Fixtures, refuseMisfits, shippedFixtures } from './fixtures.server';
import type { Schema } from './schema';

/** The number of rows that were added, updated or kept. */
export interface SeedReport {
  added: number;
  updated: number;
  kept: number;
}

interface SeedOptions {
  /** Whether an existing row is kept as the operator left it, or updated. */
  existing: 'keep' | 'update';
}

/** Writes fixtures to the database in one transaction. */
export async function seed(
  sqlite: SqliteFile,
  fixtures: Fixtures,
  options: SeedOptions,
): Promise<SeedReport> {
  const db = queryBuilder(sqlite);
  return inImmediateTransaction(sqlite, () => writeRows(db, fixtures, options));
}

/** Seeds empty tables with the shipped rows, so that a first start needs no other command. */
export async function seedEmptyTables(sqlite: SqliteFile): Promise<void> {
  const isEmpty = (table: string) =>
    sqlite.prepare(`select not exists (select 1 from ${table})`).pluck().get() === 1;
  const empty = FIXTURE_TABLES.filter(isEmpty);
  // Checked first, because reading the fixtures takes a large part of the startup time.
  if (empty.length === 0) return;
  const shipped = shippedFixtures();
  const missing = empty.map((table) => [table, shipped[table]]);
  // Another process may have seeded since the check, so existing rows are kept.
  await seed(sqlite, Object.fromEntries(missing) as Fixtures, { existing: 'keep' });
}

async function writeRows(
  db: Kysely<Schema>,
  fixtures: Fixtures,
  { existing }: SeedOptions,
): Promise<SeedReport> {
  const report: SeedReport = { added: 0, updated: 0, kept: 0 };
  const write = (table: keyof Schema, key: string[], row: Row) =>
    writeRow(db as unknown as AnyTables, table, key, row, existing);

  for (const { translations, is_eligible, ...fixture } of fixtures.vwp_countries ?? []) {
    const country = { ...fixture, is_eligible: flag(is_eligible) };
    report[await write('vwp_countries', ['country_code'], country)] += 1;
    for (const [language_code, { country_name, aliases }] of Object.entries(translations)) {
      await write('vwp_country_translations', ['country_code', 'language_code'], {
        country_code: fixture.country_code,
        language_code,
        country_name,
        aliases: JSON.stringify(aliases),
      });
    }
  }
  for (const { translations, is_active, ...fixture } of fixtures.eligibility_questions ?? []) {
    const question = { ...fixture, is_active: flag(is_active) };
    report[await write('eligibility_questions', ['question_key'], question)] += 1;
    for (const [language_code, words] of Object.entries(translations)) {
      await write('eligibility_question_translations', ['question_key', 'language_code'], {
        question_key: fixture.question_key,
        language_code,
        ...words,
      });
    }
  }
  for (const { translations, ...fact } of fixtures.facts ?? []) {
    const written = await write('facts', ['fact_key', 'valid_from'], fact);
    report[written] += 1;
    // The titles of a source that an operator has replaced would be those of another one.
    if (written === 'kept' && !(await hasSource(db, fact))) continue;
    for (const [language_code, { source_title }] of Object.entries(translations)) {
      const { fact_key, valid_from } = fact;
      await write('fact_translations', ['fact_key', 'valid_from', 'language_code'], {
        fact_key,
        valid_from,
        language_code,
        source_title,
      });
    }
  }
  if (fixtures.facts && existing === 'update') await checkWrittenPeriods(db, fixtures.facts);
  for (const {
    is_published,
    key_points,
    mistakes,
    links,
    ...fixture
  } of fixtures.guidance_content ?? []) {
    const content = {
      ...fixture,
      is_published: flag(is_published),
      key_points: JSON.stringify(key_points),
      mistakes: JSON.stringify(mistakes),
      links: JSON.stringify(links),
    };
    report[await write('guidance_content', ['content_key', 'language_code'], content)] += 1;
  }
  return report;
}

async function hasSource(
  db: Kysely<Schema>,
  fact: { fact_key: string; valid_from: string; source_title: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('facts')
    .select('id')
    .where('fact_key', '=', fact.fact_key)
    .where('valid_from', '=', fact.valid_from)
    .where('source_title', '=', fact.source_title)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Rows that were there before may not fit those of the fixtures: then nothing is written. A seed
 * that keeps what is there writes nevertheless; pages log what does not fit.
 */
async function checkWrittenPeriods(db: Kysely<Schema>, written: { fact_key: string }[]) {
  const rows = await db
    .selectFrom('facts')
    .select(['fact_key', 'valid_from', 'valid_to'])
    .where(
      'fact_key',
      'in',
      written.map(({ fact_key }) => fact_key),
    )
    .execute();
  refuseMisfits(rows);
}

type Row = Record<string, unknown>;
/** The fixtures are already validated, so the tables need no types here. */
type AnyTables = Kysely<Record<string, Row>>;

/** Writes one row, unless the row exists and is to be kept. */
async function writeRow(
  db: AnyTables,
  table: string,
  key: string[],
  row: Row,
  existing: SeedOptions['existing'],
): Promise<keyof SeedReport> {
  const found = await db
    .selectFrom(table)
    .select(key)
    .where((build) => build.and(key.map((column) => build(column, '=', row[column]))))
    .executeTakeFirst();
  if (found && existing === 'keep') return 'kept';
  await db
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet(row))
    .execute();
  return found ? 'updated' : 'added';
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
