/** A cell: text; a number as a decimal with a point, such as `-39.95`; null: nothing. */
export type Cell = string | { decimal: string } | null;

/** The two forms that spreadsheets open by themselves, by the language of the computer. */
export const CSV_FORMS = ['comma', 'semicolon'] as const;
export type CsvForm = (typeof CSV_FORMS)[number];

/** What stands before the first line: without it, Excel takes UTF-8 for something else. */
export const CSV_BEGIN = { comma: '', semicolon: '\ufeff' } as const satisfies Record<
  CsvForm,
  string
>;

/**
 * A line of a file of comma-separated values (RFC 4180). The form with semicolons has decimal commas,
 * as French and German spreadsheets read them.
 */
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
