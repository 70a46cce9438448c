import { z } from 'zod/v4';

import { REQUESTABLE_NAMES } from '~/domain/application/requests';
import { COUNTRY_REMARKS, isOnMember } from '~/domain/country';
import { isQuestionKey, SEVERITIES, YES_NO } from '~/domain/eligibility';
import { FACT_KEYS, type FactKey, factProblems, feeProblems, periodProblems } from '~/domain/facts';
import { GUIDANCE_KINDS, PLACEHOLDERS, REPLY_VARIABLES, unknownPlaceholders } from '~/domain/guide';
import {
  conflict,
  contradiction,
  type DataProblem,
  type DataRule,
  shown,
} from '~/validation/problems.server';
import { secureUrl, text, wholeNumber } from '~/validation/schemas.server';
import { toFact } from './queries/facts.server';

const countryCode = z.string().regex(/^[A-Z]{2}$/, 'expected two upper-case letters (ISO 3166-1)');
const languageCode = z
  .string()
  .regex(/^[a-z]{2}$/, 'expected a language of two lower-case letters');

const country = z.strictObject({
  country_code: countryCode,
  country_name: text,
  is_eligible: z.boolean(),
  esta_validity_months: wholeNumber(1).nullable().default(null),
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

const fact = z.strictObject({
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
});

/** @param whose such as "the guide", which has these placeholders */
const textWith = (known: readonly string[], whose: string) =>
  text.superRefine((value, context) => {
    const list = known.map((name) => `{${name}}`).join(', ');
    for (const name of unknownPlaceholders(value, known)) {
      const message = `{${name}} is no placeholder of ${whose}, which has ${list}`;
      context.addIssue({ code: 'custom', message });
    }
  });
const guidanceText = textWith(Object.keys(PLACEHOLDERS), 'the guide');

const guidance = z.strictObject({
  content_key: z
    .string()
    .regex(/^[a-z\d_]{1,40}$/, 'expected up to 40 lower-case letters, digits and _'),
  language_code: languageCode,
  kind: z.enum(GUIDANCE_KINDS),
  display_order: z.int(),
  is_published: z.boolean().default(true),
  title: guidanceText,
  summary: guidanceText.nullable().default(null),
  estimated_minutes: wholeNumber(1).nullable().default(null),
  key_points: z.array(guidanceText).default([]),
  mistakes: z.array(guidanceText).default([]),
  links: z.array(z.strictObject({ label: text, url: secureUrl })).default([]),
  url: secureUrl.nullable().default(null),
});

const reply = z.strictObject({
  reply_key: z
    .string()
    .regex(/^[a-z\d_]{1,40}$/, 'expected up to 40 lower-case letters, digits and _'),
  language_code: languageCode,
  field: z
    .string()
    .refine(
      (name) => REQUESTABLE_NAMES.includes(name),
      'expected the name of what can be asked for',
    )
    .nullable()
    .default(null),
  title: text,
  body: textWith(REPLY_VARIABLES, 'a saved reply'),
});
type FactRow = z.output<typeof fact>;
type GuidanceRow = z.output<typeof guidance>;

const countryRules: DataRule<z.output<typeof country>>[] = [
  contradiction(['is_eligible', 'remark'], ({ is_eligible, remark }) => {
    if (!remark || isOnMember(remark) === is_eligible) return undefined;
    return `the remark is for countries ${is_eligible ? 'outside' : 'in'} the programme`;
  }),
  contradiction(['remark', 'citizenship_code'], ({ remark, citizenship_code }) =>
    (remark === 'territory') === Boolean(citizenship_code)
      ? undefined
      : 'a territory, and nothing else, has the citizenship of another country',
  ),
];

const factRule: DataRule<Record<string, unknown> & { fact_key: FactKey }> = {
  parts: ['fact_key'],
  problems: (row) => {
    // What is missing or no text has been said already.
    const textOf = (column: string) => {
      const value = row[column];
      return typeof value === 'string' ? value.trim() : '';
    };
    const texts = Object.keys(fact.shape).map((column) => [column, textOf(column)]);
    const { valid_to, ...others } = Object.fromEntries(texts) as Record<keyof FactRow, string>;
    const { fact_key } = row;
    const problems = factProblems(
      toFact({ ...others, fact_key, valid_to: valid_to || null, translations: {} }),
    );
    return problems
      .filter(({ column }) => textOf(column) !== '')
      .map(({ column, expected }) => ({
        paths: [[column]],
        text: `${column} is ${shown(row[column])}; ${expected}`,
      }));
  },
};

const guidanceRule = contradiction<GuidanceRow>(['kind', 'url'], ({ kind, url }) =>
  kind === 'resource' && !url ? 'a resource needs an address that begins with https://' : undefined,
);

export interface IndexedRow<Row> {
  index: number;
  row: Row;
}
export type PlacedProblem = { index: number; problem: DataProblem };

function factsTogether(rows: readonly IndexedRow<FactRow>[]): PlacedProblem[] {
  const facts = rows.map(({ index, row }) => ({ ...toFact(row), index, row }));
  return [
    ...periodProblems(facts).map(({ at, problem }) => ({
      index: at.index,
      problem: conflict(['valid_from'], at.row, `${problem}; ${PERIODS}`),
    })),
    ...feeProblems(facts).map(({ at, total }) => ({
      index: at.index,
      problem: conflict(
        ['value'],
        at.row,
        `that is more than esta_fee_total from ${total.validFrom}, which is ${shown(total.value)}`,
      ),
    })),
  ];
}

export const PERIODS = 'end each period on the day before the next';

function guidanceTogether(rows: readonly IndexedRow<GuidanceRow>[]): PlacedProblem[] {
  return rows.flatMap(({ index, row }) => {
    const first = rows.find((other) => other.row.content_key === row.content_key);
    if (!first || first.row.kind === row.kind) return [];
    const said = `row ${first.index + 1} has the same content_key and is ${shown(first.row.kind)}`;
    return { index, problem: conflict(['kind'], row, said) };
  });
}

/** The fixture files, one per table and named after it; `together`: how their rows fit each other. */
export const TABLES = {
  vwp_countries: { row: country, rules: countryRules, together: () => [] },
  eligibility_questions: { row: question, rules: [], together: () => [] },
  facts: { row: fact, rules: [factRule], together: factsTogether },
  guidance_content: { row: guidance, rules: [guidanceRule], together: guidanceTogether },
  saved_replies: { row: reply, rules: [], together: () => [] },
};

export type Fixtures = {
  [Name in keyof typeof TABLES]?: z.output<(typeof TABLES)[Name]['row']>[];
};
