import type { Language } from '~/i18n/languages';

/** A number is a decimal with a point, such as `-39.95`. */
export type Cell = string | { decimal: string } | null;

export const CSV_FORMS = ['comma', 'semicolon'] as const;
export type CsvForm = (typeof CSV_FORMS)[number];

/** What stands before the first line: without it, Excel takes UTF-8 for something else. */
export const CSV_BEGIN = { comma: '', semicolon: '\ufeff' } as const satisfies Record<
  CsvForm,
  string
>;

/** RFC 4180; with semicolons it has decimal commas, as French and German spreadsheets read them. */
export function csvLine(cells: readonly Cell[], form: CsvForm): string {
  const written = cells.map((cell) => cellText(cell, form));
  return `${written.join(form === 'comma' ? ',' : ';')}\r\n`;
}

function cellText(cell: Cell, form: CsvForm): string {
  if (cell === null) return '';
  if (typeof cell !== 'string')
    return form === 'comma' ? cell.decimal : cell.decimal.replace('.', ',');
  // A spreadsheet runs what begins so (OWASP, CSV injection); an apostrophe makes it text.
  const safe = /^\s*[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvHeaders = (name: string) => ({
  'Content-Type': 'text/csv; charset=utf-8; header=present',
  'Content-Disposition': `attachment; filename="${name}.csv"`,
});

/** As spreadsheets of the reader's language have it. */
export function csvFile(name: string, lines: readonly (readonly Cell[])[], language: Language) {
  const form = language === 'en' ? 'comma' : 'semicolon';
  const text = CSV_BEGIN[form] + lines.map((line) => csvLine(line, form)).join('');
  return new Response(text, { headers: csvHeaders(name) });
}
