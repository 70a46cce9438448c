import { type DataProblem, sentence, shown } from '~/validation/problems.server';
import { rowProblems } from '~db/fixtures.server';
import type { StoredRows } from '~db/content-rows.server';
import type { Finding } from './report';

export type TableName = keyof StoredRows;
type Row<Name extends TableName> = StoredRows[Name][number];

export interface RowFinding extends Finding {
  place: string;
}

const finding =
  (level: Finding['level']) =>
  (where: string, said: string): RowFinding => ({
    level,
    place: where,
    text: sentence(where, { paths: [], text: said }),
  });
export const rowError = finding('error');
export const rowWarning = finding('warning');

export const place = (table: string, ...key: readonly string[]): string =>
  [table, ...key].join(', ');
export const factKey = (key: string, validFrom: string): string => `${key} from ${validFrom}`;

const KEYS: { [Name in TableName]: (row: Row<Name>) => string[] } = {
  vwp_countries: ({ country_code }) => [country_code],
  eligibility_questions: ({ question_key }) => [question_key],
  facts: ({ fact_key, valid_from }) => [factKey(fact_key, valid_from)],
  guidance_content: ({ content_key, language_code }) => [content_key, language_code],
  saved_replies: ({ reply_key, language_code }) => [reply_key, language_code],
};

/** Where the words in other languages stand; those of the guide have rows of their own. */
export const TRANSLATIONS = {
  vwp_countries: 'vwp_country_translations',
  eligibility_questions: 'eligibility_question_translations',
  facts: 'fact_translations',
  guidance_content: 'guidance_content',
  saved_replies: 'saved_replies',
} as const satisfies Record<TableName, string>;

/** Pages leave out most of what breaks the rules for fixtures, and `db:seed` would refuse it. */
export function rowFindings<Name extends TableName>(table: Name, rows: readonly Row<Name>[]) {
  return rowProblems(table, rows).flatMap(({ index, problem }) => {
    const row = rows[index];
    if (!row) return [];
    const { where, said } = placed(table, KEYS[table](row), problem);
    const isDraft = 'is_published' in row && !row.is_published;
    return isDraft ? rowWarning(`${where}, not published`, said) : rowError(where, said);
  });
}

/**
 * Fixtures hold translations within their rows, the database in a table of its own: a problem of
 * one is told by that table, and by its column.
 */
function placed(
  table: TableName,
  key: readonly string[],
  { paths: [path = []], text }: DataProblem,
): { where: string; said: string } {
  const [field, language, ...column] = path.map(String);
  if (field !== 'translations' || language === undefined)
    return { where: place(table, ...key), said: text };
  const where = place(TRANSLATIONS[table], ...key, language);
  if (column.length > 0) return { where, said: text.replace(`translations.${language}.`, '') };
  return { where, said: text.replace(/^[^;]*/, `language_code is ${shown(language)}`) };
}
