import { createHash } from 'node:crypto';

import type { Kysely } from 'kysely';

import type { Fixtures } from './fixture-rows.server';
import type { Database } from './schema';

type Row = Record<string, string | number | null>;

/** The key of each content table; tables that others belong to come first. */
export const CONTENT_KEYS = {
  vwp_countries: ['country_code'],
  vwp_country_translations: ['country_code', 'language_code'],
  eligibility_questions: ['question_key'],
  eligibility_question_translations: ['question_key', 'language_code'],
  facts: ['fact_key', 'valid_from'],
  fact_translations: ['fact_key', 'valid_from', 'language_code'],
  guidance_content: ['content_key', 'language_code'],
  saved_replies: ['reply_key', 'language_code'],
} as const;
/** What pages show to everybody; the other tables hold what people did. */
export type ContentTable = keyof typeof CONTENT_KEYS;
export const CONTENT_TABLES = Object.keys(CONTENT_KEYS) as ContentTable[];

/** How rows of a table and of its fixtures differ: by flags, lists, and words in other languages. */
interface Form {
  flags?: readonly string[];
  lists?: readonly string[];
  translations?: ContentTable;
  order: readonly string[];
}
const FORMS: Record<keyof Fixtures, Form> = {
  vwp_countries: {
    flags: ['is_eligible'],
    lists: ['aliases'],
    translations: 'vwp_country_translations',
    order: ['country_code'],
  },
  eligibility_questions: {
    flags: ['is_active'],
    translations: 'eligibility_question_translations',
    order: ['question_order', 'id'],
  },
  facts: { translations: 'fact_translations', order: ['fact_key', 'valid_from'] },
  guidance_content: {
    flags: ['is_published'],
    lists: ['key_points', 'mistakes', 'links'],
    order: ['display_order', 'id'],
  },
  saved_replies: { order: ['id'] },
};
/** Where the words in other languages stand; those of the guide have rows of their own. */
export const wordsOf = (table: keyof Fixtures): ContentTable => FORMS[table].translations ?? table;
export const FIXTURE_TABLES = Object.keys(FORMS) as (keyof Fixtures)[];

export interface ContentRow {
  table: ContentTable;
  row: Row;
  subject: string;
  parent: string | undefined;
  /** The subjects that only make sense together have the same: a fact's periods, a question. */
  group: string;
}

export function contentRows(fixtures: Fixtures): ContentRow[] {
  return FIXTURE_TABLES.flatMap((table) => {
    const { translations } = FORMS[table];
    const rows = (fixtures[table] ?? []) as { translations?: Record<string, object> }[];
    return rows.flatMap(({ translations: words = {}, ...fixture }) => {
      const row = contentRow(table, stored(fixture));
      if (!translations) return [row];
      const key = Object.fromEntries(CONTENT_KEYS[table].map((name) => [name, row.row[name]]));
      const translated = Object.entries(words).map(([language_code, own]) =>
        contentRow(translations, stored({ ...key, language_code, ...own }), row.subject),
      );
      return [row, ...translated];
    });
  });
}

function stored(fixture: object): Row {
  const values = Object.entries(
    fixture as Record<string, string | number | boolean | object | null>,
  );
  return Object.fromEntries(
    values.map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value ? 1 : 0];
      return [name, typeof value === 'object' && value ? JSON.stringify(value) : value];
    }),
  );
}

export type StoredRows = Required<Fixtures>;

/** Whether or not they keep the rules. What should be JSON and is none stays text. */
export async function listStoredRows(db: Database): Promise<StoredRows> {
  const tables: [string, unknown][] = [];
  for (const table of FIXTURE_TABLES) tables.push([table, await storedRows(db, table)]);
  return Object.fromEntries(tables) as unknown as StoredRows;
}

async function storedRows(db: Database, table: keyof Fixtures): Promise<object[]> {
  const { translations, order } = FORMS[table];
  const key: readonly string[] = CONTENT_KEYS[table];
  const all = (from: ContentTable) => anyTables(db).selectFrom(from).selectAll();
  const words = translations ? await all(translations).execute() : [];
  const rows = await order.reduce((query, column) => query.orderBy(column), all(table)).execute();
  const ownColumns = (column: string) => column !== 'language_code' && !key.includes(column);
  return rows.map(({ id: _drawn, ...row }) => {
    if (!translations) return asFixture(table, row);
    const translated = words
      .filter((word) => key.every((column) => word[column] === row[column]))
      .map((word) => [String(word['language_code']), asFixture(table, word, ownColumns)] as const);
    return { ...asFixture(table, row), translations: Object.fromEntries(translated) };
  });
}

function asFixture(
  table: keyof Fixtures,
  row: Row,
  isWanted: (column: string) => boolean = () => true,
): object {
  const { flags = [], lists = [] } = FORMS[table];
  const values = Object.entries(row).filter(([column]) => isWanted(column));
  return Object.fromEntries(
    values.map(([column, value]) => {
      if (flags.includes(column)) return [column, value === 1];
      return [column, lists.includes(column) ? parsed(String(value)) : value];
    }),
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** What an operator who changes one row of it takes over as a whole. */
const GROUPED_BY: readonly string[] = ['question_key', 'fact_key'];

export function contentRow(table: ContentTable, row: Row, parent?: string): ContentRow {
  const subject = `${table} ${JSON.stringify(CONTENT_KEYS[table].map((column) => row[column]))}`;
  const grouping = CONTENT_KEYS[table].find((column) => GROUPED_BY.includes(column));
  const group = grouping ? `${grouping} ${row[grouping]}` : subject;
  return { table, row, subject, parent, group };
}

/** No column without a value counts, nor a drawn number: one that is added later changes no hash. */
export function hashOf(row: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(row)
    .filter(([column, value]) => column !== 'id' && value !== null && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 24);
}

export const anyTables = (db: Database) => db as unknown as Kysely<Record<string, Row>>;
