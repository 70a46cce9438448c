import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type JsonSource, JsonSyntaxError, readJson } from '~/validation/json-source.server';
import { check, conflict, repetition, sentence } from '~/validation/problems.server';
import { CONTENT_KEYS, FIXTURE_TABLES, type StoredRows, wordsOf } from './content-rows.server';
import { type Fixtures, type IndexedRow, type PlacedProblem, TABLES } from './fixture-rows.server';
import shippedFacts from './seeds/facts.json' with { type: 'json' };
import shippedGuidance from './seeds/guidance_content.json' with { type: 'json' };
import shippedReplies from './seeds/saved_replies.json' with { type: 'json' };
import shippedCountries from './seeds/vwp_countries.json' with { type: 'json' };
import shippedQuestions from './seeds/eligibility_questions.json' with { type: 'json' };

export type { Fixtures } from './fixture-rows.server';

type TableName = keyof typeof TABLES;

/** Fixtures that are wrong; the message names file, line, row, field and reason, a line each. */
export class FixtureError extends Error {
  override name = 'FixtureError';
}

const SHIPPED: Record<TableName, unknown> = {
  vwp_countries: shippedCountries,
  eligibility_questions: shippedQuestions,
  facts: shippedFacts,
  guidance_content: shippedGuidance,
  saved_replies: shippedReplies,
};

export function shippedFixtures(): Required<Fixtures> {
  return checkTables((table) => ({
    value: SHIPPED[table],
    file: `db/seeds/${table}.json`,
  })) as Required<Fixtures>;
}

export interface ShippedContent {
  /** Changes whenever the fixtures do; much cheaper than these, which are checked. */
  digest(): string;
  fixtures(): Fixtures;
}

export const SHIPPED_CONTENT: ShippedContent = {
  digest: () => createHash('sha256').update(JSON.stringify(SHIPPED)).digest('hex'),
  fixtures: shippedFixtures,
};

/** @throws {FixtureError} if a file is no JSON, rows break their rules, or no file is in the folder */
export function readFixtures(folder: string): Fixtures {
  const fixtures = checkTables((table) => {
    const file = join(folder, `${table}.json`);
    return existsSync(file) ? { ...readFile(file), file } : undefined;
  });
  if (Object.keys(fixtures).length === 0) {
    const names = FIXTURE_TABLES.map((table) => `${table}.json`);
    throw new FixtureError(`${folder}: none of ${names.join(', ')} is in this folder.`);
  }
  return fixtures;
}

/** What `readFixtures` reads back as it was, in the form of the shipped files. */
export function writeFixtures(folder: string, rows: StoredRows): void {
  mkdirSync(folder, { recursive: true });
  for (const table of FIXTURE_TABLES) {
    // Where translations are rows of their own, what is usual is left out.
    const isLeftOut = (value: unknown) =>
      wordsOf(table) === table &&
      (value === null || value === true || (Array.isArray(value) && value.length === 0));
    const text = JSON.stringify(
      rows[table],
      (_, value: unknown) => (isLeftOut(value) ? undefined : value),
      2,
    );
    writeFileSync(join(folder, `${table}.json`), `${text.replaceAll(TEXTS, inOneLine)}\n`);
  }
}

/** A list of texts, which is one line where it fits. */
const TEXTS = /^ *"\w+": \[(?:\n +"(?:[^"\\]|\\.)*",?)+\n *\],?$/gm;
function inOneLine(list: string): string {
  const line = list
    .replaceAll(/\n +/g, ' ')
    .replace('[ ', '[')
    .replace(/ (\],?)$/, '$1');
  return line.length <= 100 ? line : list;
}

/** The content of a fixture file; the shipped ones, which are built in, have no lines. */
type Source = Pick<JsonSource, 'value'> & Partial<JsonSource> & { file: string };

function checkTables(read: (table: TableName) => Source | undefined): Fixtures {
  const said: string[] = [];
  const tables = FIXTURE_TABLES.flatMap((table) => {
    try {
      const source = read(table);
      return source ? [[table, checkRows(table, source)]] : [];
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error;
      said.push(error.message);
      return [];
    }
  });
  if (said.length > 0) throw new FixtureError(said.join('\n'));
  return Object.fromEntries(tables) as Fixtures;
}

function readFile(file: string): JsonSource {
  try {
    return readJson(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new FixtureError(
      error instanceof JsonSyntaxError
        ? `${file}, line ${error.line}: no JSON; expected ${error.expected}.`
        : `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

export const rowProblems = (name: TableName, rows: readonly unknown[]): PlacedProblem[] =>
  examine(name, rows).found;

/** @param repeated the problems of keys that a row has twice, which only its source can tell */
function examine(name: TableName, rows: readonly unknown[], repeated: PlacedProblem[] = []) {
  const { row: schema, rules, together } = TABLES[name];
  const key = CONTENT_KEYS[name];
  const checked = rows.map((row) => check(schema, row, rules, 'the row'));
  const found: PlacedProblem[] = [
    ...checked.flatMap(({ problems }, index) => problems.map((problem) => ({ index, problem }))),
    ...repeated,
    ...duplicates(rows, key),
  ];
  // A row that is wrong may be what its fellows need.
  const idOf = (row: unknown) => fieldOf(row, key[0]);
  const unclear = new Set(found.map(({ index }) => idOf(rows[index])));
  const sound = checked.flatMap(({ data }, index) =>
    data && !unclear.has(idOf(data)) ? { index, row: data } : [],
  );
  found.push(...together(sound as IndexedRow<never>[]));
  return { checked, found };
}

function checkRows(name: TableName, { value: rows, file, lineOf, repeatedKeys = [] }: Source) {
  if (!Array.isArray(rows)) {
    throw new FixtureError(`${file}: expected a list of rows in square brackets.`);
  }
  const repeated = repeatedKeys.map(([index, ...path]) => ({
    index: index as number,
    problem: repetition(path),
  }));
  const { checked, found } = examine(name, rows, repeated);
  const [key] = CONTENT_KEYS[name];
  const said = found
    .map(({ index, problem }) => {
      const id = fieldOf(rows[index], key);
      const row = `row ${index + 1}${typeof id === 'string' ? ` (${key} "${id}")` : ''}`;
      const line = lineOf?.(problem.paths.map((path) => [index, ...path]));
      const place = line === undefined ? row : `line ${line}, ${row}`;
      return { line: line ?? index, text: sentence(`${file}, ${place}`, problem) };
    })
    .sort((a, b) => a.line - b.line);
  if (said.length > 0) throw new FixtureError(said.map(({ text }) => text).join('\n'));
  return checked.map(({ data }) => data);
}

function duplicates(rows: readonly unknown[], key: readonly string[]): PlacedProblem[] {
  const firstWith = new Map<string, number>();
  return rows.flatMap((row, index) => {
    const id = JSON.stringify(key.map((field) => fieldOf(row, field)));
    const first = firstWith.get(id);
    firstWith.set(id, first ?? index);
    if (first === undefined || key.some((field) => fieldOf(row, field) === undefined)) return [];
    return { index, problem: conflict(key, row, `row ${first + 1} has the same`) };
  });
}

const fieldOf = (row: unknown, field: string | undefined): unknown =>
  (row as Record<string, unknown> | null)?.[field ?? ''];
