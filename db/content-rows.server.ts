import { createHash } from 'node:crypto';

import type { Fixtures } from './fixture-rows.server';
import type { Schema } from './schema';

type Row = Record<string, string | number | null>;
/** What pages show to everybody; the other tables hold what people did. */
export type ContentTable = Extract<
  keyof Schema,
  | 'vwp_countries'
  | 'vwp_country_translations'
  | 'eligibility_questions'
  | 'eligibility_question_translations'
  | 'facts'
  | 'fact_translations'
  | 'guidance_content'
>;

export interface ContentRow {
  table: ContentTable;
  row: Row;
  /** Names the row among all others: its table and key. */
  subject: string;
  parent: string | undefined;
  /** The subjects that only make sense together have the same: a fact's periods, a question. */
  group: string;
}

/** The key of each content table; tables that others belong to come first. */
export const CONTENT_KEYS: Record<ContentTable, readonly string[]> = {
  vwp_countries: ['country_code'],
  vwp_country_translations: ['country_code', 'language_code'],
  eligibility_questions: ['question_key'],
  eligibility_question_translations: ['question_key', 'language_code'],
  facts: ['fact_key', 'valid_from'],
  fact_translations: ['fact_key', 'valid_from', 'language_code'],
  guidance_content: ['content_key', 'language_code'],
};

export const CONTENT_TABLES = Object.keys(CONTENT_KEYS) as ContentTable[];

/** What an operator who changes one row of it takes over as a whole. */
const GROUPED_BY: Partial<Record<ContentTable, string>> = {
  eligibility_questions: 'question_key',
  eligibility_question_translations: 'question_key',
  facts: 'fact_key',
  fact_translations: 'fact_key',
};

/** The rows that fixtures come to, in the order in which they can be written. */
export function contentRows(fixtures: Fixtures): ContentRow[] {
  return [
    ...(fixtures.vwp_countries ?? []).flatMap(({ translations, is_eligible, ...country }) => {
      const { country_code } = country;
      return family(
        contentRow('vwp_countries', { ...country, is_eligible: flag(is_eligible) }),
        'vwp_country_translations',
        Object.entries(translations).map(([language_code, { country_name, aliases }]) => ({
          country_code,
          language_code,
          country_name,
          aliases: JSON.stringify(aliases),
        })),
      );
    }),
    ...(fixtures.eligibility_questions ?? []).flatMap(
      ({ translations, is_active, ...question }) => {
        const { question_key } = question;
        return family(
          contentRow('eligibility_questions', { ...question, is_active: flag(is_active) }),
          'eligibility_question_translations',
          Object.entries(translations).map(([language_code, words]) => ({
            question_key,
            language_code,
            ...words,
          })),
        );
      },
    ),
    ...(fixtures.facts ?? []).flatMap(({ translations, ...fact }) => {
      const { fact_key, valid_from } = fact;
      return family(
        contentRow('facts', fact),
        'fact_translations',
        Object.entries(translations).map(([language_code, { source_title }]) => ({
          fact_key,
          valid_from,
          language_code,
          source_title,
        })),
      );
    }),
    ...(fixtures.guidance_content ?? []).map(
      ({ is_published, key_points, mistakes, links, ...content }) =>
        contentRow('guidance_content', {
          ...content,
          is_published: flag(is_published),
          key_points: JSON.stringify(key_points),
          mistakes: JSON.stringify(mistakes),
          links: JSON.stringify(links),
        }),
    ),
  ];
}

export function contentRow(table: ContentTable, row: Row, parent?: string): ContentRow {
  const subject = `${table} ${JSON.stringify(CONTENT_KEYS[table].map((column) => row[column]))}`;
  const grouping = GROUPED_BY[table];
  return {
    table,
    row,
    subject,
    parent,
    group: grouping ? `${grouping} ${row[grouping]}` : subject,
  };
}

/**
 * Tells rows with different content apart. A column without a value does not count, nor does the
 * number that a database gives a row: so a column that is added later changes no hash.
 */
export function hashOf(row: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(row)
    .filter(([column, value]) => column !== 'id' && value !== null && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 24);
}

function family(parent: ContentRow, table: ContentTable, rows: Row[]): ContentRow[] {
  return [parent, ...rows.map((row) => contentRow(table, row, parent.subject))];
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
