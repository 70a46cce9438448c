import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

type Decide = (...given: string[]) => unknown;

/**
 * Holds the cases of rules, which stand in a text file beside their test: under the title of each table a case a
 * line, indented, `given | given => decision`. A cell is text as it stands, or JSON in quotes where a space at its
 * end or what nobody sees counts; `-` is nothing (undefined). Lines with # are remarks.
 *
 * `npx vitest run FILE -u` writes the decisions anew, also that of a new line which ends with `=>`.
 *
 * @param test the address of the test's module, which has the name of the text file
 * @param deciders what decides the cases of a table, by its title
 */
export function decisionTables(test: string, deciders: Record<string, Decide>): void {
  const file = fileURLToPath(test).replace(/\.test\.tsx?$/, '.txt');
  it(`decides as ${basename(file)} says`, async () => {
    const tables = readFileSync(file, 'utf8').trimEnd().split('\n\n');
    const titles = tables.map((table) => /^[^ #].*/m.exec(table)?.[0] ?? '');
    expect(titles).toEqual(Object.keys(deciders));
    const decided: string[] = [];
    for (const [n, table] of tables.entries()) {
      const lines = table.split('\n');
      const title = titles[n]!;
      // A line that is no case decides nothing, whatever it says.
      expect(lines.filter((line) => !isCase(line) && !/^ *#/.test(line))).toEqual([title]);
      expect([title, lines.some(isCase)]).toEqual([title, true]);
      decided.push(await decideAll(lines, deciders[title]!));
    }
    await expect(`${decided.join('\n\n')}\n`).toMatchFileSnapshot(file);
  });
}

export type Row = Partial<Record<string, string>>;

/** Rows by the words above their columns, which are two spaces apart at least, without what is `-`. */
export function readTables(test: string, name: string): Row[][] {
  return readFileSync(new URL(name, test), 'utf8')
    .split('\n\n')
    .map((table) => table.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
    .filter((lines) => lines.length > 0)
    .map(([head = '', ...lines]) => {
      const columns = head.split(/ {2,}/);
      if (lines.length === 0) throw new Error(`No rows: ${head}`);
      return lines.map((line) => {
        const cells = line.split(/ {2,}/).map((cell, n) => [columns[n], cell]);
        if (cells.length !== columns.length) throw new Error(`Not a cell for each column: ${line}`);
        return Object.fromEntries(cells.filter(([, cell]) => cell !== '-')) as Row;
      });
    });
}

const isCase = (line: string) => /^ +[^ #]/.test(line);

async function decideAll(lines: string[], decide: Decide): Promise<string> {
  const rows = lines.map((line) =>
    isCase(line) ? line.split(' =>')[0]!.trim().split(/ +\| /) : [],
  );
  const widths: number[] = [];
  for (const row of rows) {
    for (const [n, cell] of row.entries()) widths[n] = Math.max(widths[n] ?? 0, lengthOf(cell));
  }
  const written: string[] = [];
  for (const [n, line] of lines.entries()) {
    const row = rows[n]!;
    const padded = row.map((cell, at) => cell + ' '.repeat(widths[at]! - lengthOf(cell)));
    const given = row.map((cell) => readCell(cell.trim()) as string);
    written.push(
      isCase(line) ? `  ${padded.join(' | ')} => ${writeCell(await decide(...given))}` : line,
    );
  }
  return written.join('\n');
}

const lengthOf = (cell: string) => [...cell].length;

function readCell(cell: string): string | undefined {
  if (cell === '-') return undefined;
  return cell.startsWith('"') ? (JSON.parse(cell) as string) : cell;
}

const UNSEEN = /(?! )[\p{C}\p{Z}]/u;

function writeCell(value: unknown): string {
  if (value === undefined) return '-';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (value.trim() === value && !/^(-?|["#].*)$/.test(value) && !UNSEEN.test(value)) return value;
  return JSON.stringify(value).replaceAll(
    new RegExp(UNSEEN, 'gu'),
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
