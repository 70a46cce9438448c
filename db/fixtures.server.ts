import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod/v4';

import { COUNTRY_REMARKS } from '~/domain/country';
import { isQuestionKey, SEVERITIES, YES_NO } from '~/domain/eligibility';
import shippedCountries from './seeds/vwp_countries.json' with { type: 'json' };
import shippedQuestions from './seeds/eligibility_questions.json' with { type: 'json' };

const text = z.string().trim().min(1);
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
  rule_url: z
    .url({ protocol: /^https$/ })
    .nullable()
    .default(null),
  translations: z.record(languageCode, z.strictObject(questionWords)).default({}),
});

/** The fixture files, one a table, named after it; `key` is the field that names a row. */
const TABLES = {
  vwp_countries: { row: country, key: 'country_code' },
  eligibility_questions: { row: question, key: 'question_key' },
} as const;
type Table = keyof typeof TABLES;

/** Rows to seed by table. A table that is absent is left alone. */
export interface Fixtures {
  vwp_countries?: z.output<typeof country>[];
  eligibility_questions?: z.output<typeof question>[];
}

/** A fixture that cannot be used; the message names file, row, field and reason. */
export class FixtureError extends Error {
  override name = 'FixtureError';
}

/** The fixtures that ship with this program (`db/seeds`). */
export function shippedFixtures(): Fixtures {
  return {
    vwp_countries: checkRows('vwp_countries', shippedCountries, 'db/seeds/vwp_countries.json'),
    eligibility_questions: checkRows(
      'eligibility_questions',
      shippedQuestions,
      'db/seeds/eligibility_questions.json',
    ),
  };
}

/**
 * Reads the fixtures of a folder: JSON lists named after their tables, any of them absent.
 *
 * @throws {FixtureError} if a file is no JSON, a row is wrong or twice there, or no file is found
 */
export function readFixtures(folder: string): Fixtures {
  const read = <T extends Table>(table: T): NonNullable<Fixtures[T]> | undefined => {
    const file = join(folder, `${table}.json`);
    if (!existsSync(file)) return undefined;
    return checkRows(table, parseJson(file), file);
  };
  const countries = read('vwp_countries');
  const questions = read('eligibility_questions');
  if (!countries && !questions) {
    const names = Object.keys(TABLES).map((table) => `${table}.json`);
    throw new FixtureError(`${folder}: none of ${names.join(', ')} is in this folder`);
  }
  return {
    ...(countries && { vwp_countries: countries }),
    ...(questions && { eligibility_questions: questions }),
  };
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new FixtureError(`${file}: ${(error as Error).message}`);
  }
}

function checkRows<T extends Table>(
  table: T,
  data: unknown,
  file: string,
): NonNullable<Fixtures[T]> {
  const { row, key } = TABLES[table];
  if (!Array.isArray(data)) throw new FixtureError(`${file}: expected a list of rows`);
  const nameOf = (index: number) => {
    const name = (data[index] as Record<string, unknown> | null)?.[key];
    return `row ${index + 1}${typeof name === 'string' ? ` (${key} "${name}")` : ''}`;
  };
  const firstWith = new Map<unknown, number>();
  const rows = data.map((value, index) => {
    const result = row.safeParse(value);
    if (!result.success) {
      const issue = result.error.issues[0];
      const field = issue?.path.join('.') || 'the row itself';
      throw new FixtureError(`${file}, ${nameOf(index)}, field ${field}: ${issue?.message}`);
    }
    const name = (value as Record<string, unknown>)[key];
    const first = firstWith.get(name);
    if (first !== undefined) {
      throw new FixtureError(
        `${file}, ${nameOf(index)}, field ${key}: row ${first + 1} has the same`,
      );
    }
    firstWith.set(name, index);
    return result.data;
  });
  return rows as NonNullable<Fixtures[T]>;
}
