import { type DataProblem, sentence, shown } from '~/validation/problems.server';
import { rowProblems } from '~db/fixtures.server';
import { CONTENT_KEYS, type StoredRows, wordsOf } from '~db/content-rows.server';
import type { Finding } from './report';

export type TableName = keyof StoredRows;
type Row<Name extends TableName> = StoredRows[Name][number];

export interface RowFinding extends Finding {
  place: string;
}

const finding = (level: Finding['level']) => (where: string, said: string) => ({
  level,
  place: where,
  text: sentence(where, { paths: [], text: said }),
});
export const rowError = finding('error');
export const rowWarning = finding('warning');

export const place = (table: string, ...key: readonly string[]): string =>
  [table, ...key].join(', ');
export const factKey = (key: string, validFrom: string): string => `${key} from ${validFrom}`;

function keyOf(table: TableName, row: Row<TableName>): string[] {
  if ('fact_key' in row) return [factKey(row.fact_key, row.valid_from)];
  return CONTENT_KEYS[table].map((column) => String((row as Record<string, unknown>)[column]));
}

/** Pages leave out most of what breaks the rules for fixtures, and `db:seed` would refuse it. */
export function rowFindings<Name extends TableName>(table: Name, rows: readonly Row<Name>[]) {
  return rowProblems(table, rows).flatMap(({ index, problem }) => {
    const row = rows[index];
    if (!row) return [];
    const { where, said } = placed(table, keyOf(table, row), problem);
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
  const where = place(wordsOf(table), ...key, language);
  if (column.length > 0) return { where, said: text.replace(`translations.${language}.`, '') };
  return { where, said: text.replace(/^[^;]*/, `language_code is ${shown(language)}`) };
}
