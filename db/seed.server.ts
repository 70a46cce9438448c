import type { Kysely } from 'kysely';

import { inImmediateTransaction, queryBuilder, type SqliteFile } from './connection.server';
import { type Fixtures, shippedFixtures } from './fixtures.server';
import type { Schema } from './schema';

/** How many rows were added, rewritten, or left as they are. */
export interface SeedReport {
  added: number;
  updated: number;
  kept: number;
}

interface SeedOptions {
  /** What happens to a row that is already there: kept as the operator left it, or rewritten. */
  existing: 'keep' | 'update';
}

/** Adds fixtures to the database, all of them or, on an error, none. */
export async function seed(
  sqlite: SqliteFile,
  fixtures: Fixtures,
  options: SeedOptions,
): Promise<SeedReport> {
  const db = queryBuilder(sqlite);
  return inImmediateTransaction(sqlite, () => writeRows(db, fixtures, options));
}

/** Gives an empty table its shipped rows, so that a first start needs no further command. */
export async function seedEmptyTables(sqlite: SqliteFile): Promise<void> {
  const isEmpty = (table: string) =>
    sqlite.prepare(`select not exists (select 1 from ${table})`).pluck().get() === 1;
  const missing = Object.entries(shippedFixtures()).filter(([table]) => isEmpty(table));
  if (missing.length === 0) return;
  // Another process may have seeded since the look at the table: what is there is kept.
  await seed(sqlite, Object.fromEntries(missing), { existing: 'keep' });
}

async function writeRows(
  db: Kysely<Schema>,
  fixtures: Fixtures,
  options: SeedOptions,
): Promise<SeedReport> {
  const report: SeedReport = { added: 0, updated: 0, kept: 0 };

  for (const { translations, is_eligible, ...fixture } of fixtures.vwp_countries ?? []) {
    const { country_code } = fixture;
    const row = { ...fixture, is_eligible: flag(is_eligible) };
    const found = await db
      .selectFrom('vwp_countries')
      .select('country_code')
      .where('country_code', '=', country_code)
      .executeTakeFirst();
    if (count(report, found !== undefined, options)) {
      await db
        .insertInto('vwp_countries')
        .values(row)
        .onConflict((conflict) => conflict.column('country_code').doUpdateSet(row))
        .execute();
    }
    for (const [language_code, words] of Object.entries(translations)) {
      const translation = {
        country_name: words.country_name,
        aliases: JSON.stringify(words.aliases),
      };
      await db
        .insertInto('vwp_country_translations')
        .values({ country_code, language_code, ...translation })
        .onConflict((conflict) => {
          const key = conflict.columns(['country_code', 'language_code']);
          return options.existing === 'update' ? key.doUpdateSet(translation) : key.doNothing();
        })
        .execute();
    }
  }

  for (const { translations, is_active, ...fixture } of fixtures.eligibility_questions ?? []) {
    const { question_key } = fixture;
    const row = { ...fixture, is_active: flag(is_active) };
    const found = await db
      .selectFrom('eligibility_questions')
      .select('question_key')
      .where('question_key', '=', question_key)
      .executeTakeFirst();
    if (count(report, found !== undefined, options)) {
      await db
        .insertInto('eligibility_questions')
        .values(row)
        .onConflict((conflict) => conflict.column('question_key').doUpdateSet(row))
        .execute();
    }
    for (const [language_code, words] of Object.entries(translations)) {
      await db
        .insertInto('eligibility_question_translations')
        .values({ question_key, language_code, ...words })
        .onConflict((conflict) => {
          const key = conflict.columns(['question_key', 'language_code']);
          return options.existing === 'update' ? key.doUpdateSet(words) : key.doNothing();
        })
        .execute();
    }
  }
  for (const fact of fixtures.facts ?? []) {
    const found = await db
      .selectFrom('facts')
      .select('id')
      .where('fact_key', '=', fact.fact_key)
      .where('valid_from', '=', fact.valid_from)
      .executeTakeFirst();
    if (count(report, found !== undefined, options)) {
      await db
        .insertInto('facts')
        .values(fact)
        .onConflict((conflict) => conflict.columns(['fact_key', 'valid_from']).doUpdateSet(fact))
        .execute();
    }
  }
  return report;
}

/** Counts a row and says whether it is to be written. */
function count(report: SeedReport, found: boolean, { existing }: SeedOptions): boolean {
  if (found && existing === 'keep') {
    report.kept += 1;
    return false;
  }
  report[found ? 'updated' : 'added'] += 1;
  return true;
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
