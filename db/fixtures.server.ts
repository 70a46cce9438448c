import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod/v4';

import { COUNTRY_REMARKS } from '~/domain/country';
import { isQuestionKey, SEVERITIES, YES_NO } from '~/domain/eligibility';
import { FACT_KEYS, type FactKey, factProblem, periodProblems } from '~/domain/facts';
import { GUIDANCE_KINDS, unknownPlaceholders } from '~/domain/guide';
import { toFact } from './queries/facts.server';
import shippedFacts from './seeds/facts.json' with { type: 'json' };
import shippedGuidance from './seeds/guidance_content.json' with { type: 'json' };
import shippedCountries from './seeds/vwp_countries.json' with { type: 'json' };
import shippedQuestions from './seeds/eligibility_questions.json' with { type: 'json' };

const text = z.string().trim().min(1);
const secureUrl = z.url({ protocol: /^https$/ });
const countryCode = z.string().regex(/^[A-Z]{2}$/, 'expected two upper-case letters (ISO 3166-1)');
const languageCode = z
  .string()
  .regex(/^[a-z]{2}$/, 'expected a language of two lower-case letters');

const country = z.strictObject({
  country_code: countryCode,
  country_name: text,
  is_eligible: z.boolean(),
  esta_validity_months: z.int().positive().nullable().default(null),
  remark: z.enum(COUNTRY_REMARKS).nullable().default(null),
  citizenship_code: countryCode.nullable().default(null),
  translations: z
    .record(
      languageCode,
      z.strictObject({ country_name: text, aliases: z.array(text).default([]) }),
    )
    .default({}),
});

const questionWords = {
  question_text: text,
  explanation: text,
  hint: text.nullable().default(null),
};

const question = z.strictObject({
  question_key: z
    .string()
    .refine(isQuestionKey, 'expected up to 40 lower-case letters, digits and _, no reserved name'),
  question_order: z.int(),
  is_active: z.boolean().default(true),
  disqualifying_answer: z.enum(YES_NO),
  severity: z.enum(SEVERITIES).default('visa_required'),
  ...questionWords,
  rule_reference: text.nullable().default(null),
  rule_url: secureUrl.nullable().default(null),
  translations: z.record(languageCode, z.strictObject(questionWords)).default({}),
});

const fact = z
  .strictObject({
    fact_key: z.enum(FACT_KEYS),
    value: text,
    unit: text,
    valid_from: text,
    valid_to: text.nullable().default(null),
    source_title: text,
    source_url: text,
    checked_on: text,
    confidence: text.nullable().default(null),
    translations: z.record(languageCode, z.strictObject({ source_title: text })).default({}),
  })
  .superRefine((row, context) => {
    const problem = factProblem(toFact(row));
    if (!problem) return;
    const { column, expected } = problem;
    context.addIssue({ code: 'custom', path: [column], message: expected });
  });

const guidanceText = text.superRefine((value, context) => {
  for (const name of unknownPlaceholders(value)) {
    context.addIssue({ code: 'custom', message: `{${name}} is not a placeholder of the guide` });
  }
});

const guidance = z
  .strictObject({
    content_key: z
      .string()
      .regex(/^[a-z\d_]{1,40}$/, 'expected up to 40 lower-case letters, digits and _'),
    language_code: languageCode,
    kind: z.enum(GUIDANCE_KINDS),
    display_order: z.int(),
    is_published: z.boolean().default(true),
    title: guidanceText,
    summary: guidanceText.nullable().default(null),
    estimated_minutes: z.int().positive().nullable().default(null),
    key_points: z.array(guidanceText).default([]),
    mistakes: z.array(guidanceText).default([]),
    links: z.array(z.strictObject({ label: text, url: secureUrl })).default([]),
    url: secureUrl.nullable().default(null),
  })
  .refine(({ kind, url }) => kind !== 'resource' || url !== null, {
    path: ['url'],
    message: 'a resource leads somewhere',
  });

/**
 * The fixture files, one per table and named after it; `key` lists the fields that identify a row.
 */
const TABLES = {
  vwp_countries: { row: country, key: ['country_code'] },
  eligibility_questions: { row: question, key: ['question_key'] },
  facts: { row: fact, key: ['fact_key', 'valid_from'] },
  guidance_content: { row: guidance, key: ['content_key', 'language_code'] },
} as const;
type Table = keyof typeof TABLES;
type FactRow = z.output<typeof fact>;
export const FIXTURE_TABLES = Object.keys(TABLES) as Table[];

/** Rows to seed, by table. A missing table is left unchanged. */
export interface Fixtures {
  vwp_countries?: z.output<typeof country>[];
  eligibility_questions?: z.output<typeof question>[];
  facts?: FactRow[];
  guidance_content?: z.output<typeof guidance>[];
}

interface PeriodRow {
  fact_key: string;
  valid_from: string;
  valid_to: string | null;
}

/** An invalid fixture; the message names file, row, field and reason. */
export class FixtureError extends Error {
  override name = 'FixtureError';
}

const SHIPPED: Record<Table, unknown> = {
  vwp_countries: shippedCountries,
  eligibility_questions: shippedQuestions,
  facts: shippedFacts,
  guidance_content: shippedGuidance,
};

/** The fixtures shipped with this program (`db/seeds`). */
export function shippedFixtures(): Required<Fixtures> {
  return checkTables((table) => ({
    data: SHIPPED[table],
    file: `db/seeds/${table}.json`,
  })) as Required<Fixtures>;
}

/**
 * Reads the fixtures in a folder: JSON arrays named after their tables, each optional.
 *
 * @throws {FixtureError} if a file is not JSON, a row is invalid or a duplicate, or no file is
 *   found
 */
export function readFixtures(folder: string): Fixtures {
  const fixtures = checkTables((table) => {
    const file = join(folder, `${table}.json`);
    return existsSync(file) ? { data: parseJson(file), file } : undefined;
  });
  if (Object.keys(fixtures).length === 0) {
    const names = Object.keys(TABLES).map((table) => `${table}.json`);
    throw new FixtureError(`${folder}: none of ${names.join(', ')} is in this folder`);
  }
  return fixtures;
}

function checkTables(
  read: (table: Table) => { data: unknown; file: string } | undefined,
): Fixtures {
  const tables = Object.keys(TABLES) as Table[];
  return Object.fromEntries(
    tables.flatMap((table) => {
      const found = read(table);
      if (!found) return [];
      const rows = checkRows(table, found.data, found.file);
      if (table === 'facts') checkPeriods(rows as FactRow[], found.file);
      return [[table, rows]];
    }),
  );
}

/**
 * Refuses facts that leave a day between two periods without a value, or give it two.
 *
 * @throws {FixtureError} naming the fact, its period and the days
 */
export function checkPeriods(rows: readonly PeriodRow[], where: string): void {
  const periods = rows.map(({ fact_key, valid_from, valid_to }) => ({
    key: fact_key as FactKey,
    validFrom: valid_from,
    validTo: valid_to,
  }));
  const [first] = periodProblems(periods);
  if (!first) return;
  const { at, problem } = first;
  throw new FixtureError(
    `${where}, ${at.key} from ${at.validFrom}: ${problem}; end each period on the day before the next`,
  );
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new FixtureError(`${file}: ${(error as Error).message}`);
  }
}

/** @throws {FixtureError} naming file, row, field and reason */
function checkRows(table: Table, data: unknown, file: string): unknown[] {
  const { row, key } = TABLES[table];
  if (!Array.isArray(data)) throw new FixtureError(`${file}: expected a list of rows`);
  const keyOf = (value: unknown) => key.map((field) => (value as Record<string, unknown>)?.[field]);
  const rowName = (index: number) => {
    const [first] = keyOf(data[index]);
    return `row ${index + 1}${typeof first === 'string' ? ` (${key[0]} "${first}")` : ''}`;
  };
  const firstWith = new Map<string, number>();
  return data.map((value: unknown, index) => {
    const result = row.safeParse(value);
    if (!result.success) {
      const issue = result.error.issues[0];
      const field = issue?.path.join('.') || 'the row itself';
      throw new FixtureError(`${file}, ${rowName(index)}, field ${field}: ${issue?.message}`);
    }
    const rowKey = JSON.stringify(keyOf(value));
    const first = firstWith.get(rowKey);
    if (first !== undefined) {
      throw new FixtureError(
        `${file}, ${rowName(index)}, field ${key.join(', ')}: row ${first + 1} has the same`,
      );
    }
    firstWith.set(rowKey, index);
    return result.data;
  });
}
