import type { Generated, Kysely } from 'kysely';

import type { CountryRemark } from '~/domain/country';
import type { Outcome, Severity, YesNo } from '~/domain/eligibility';
import type { GuidanceKind } from '~/domain/guide';

/** A boolean: SQLite has no such type. */
type Flag = 0 | 1;

/**
 * The tables, with the specification's names (section 3) and additional columns of this project.
 */
export interface Schema {
  vwp_countries: {
    /** ISO 3166-1 alpha-2. */
    country_code: string;
    /** In English. */
    country_name: string;
    is_eligible: Flag;
    /** The validity of an ESTA in months; null if none is known. */
    esta_validity_months: number | null;
    remark: CountryRemark | null;
    /** The citizenship that residents of a territory usually hold. */
    citizenship_code: string | null;
  };
  vwp_country_translations: {
    country_code: string;
    language_code: string;
    country_name: string;
    /** JSON array: alternative names that people type. */
    aliases: string;
  };
  eligibility_questions: {
    id: Generated<number>;
    question_key: string;
    /** In English, like explanation and hint; other languages are in the translations table. */
    question_text: string;
    explanation: string;
    hint: string | null;
    disqualifying_answer: YesNo;
    severity: Severity;
    /** The citation of the legal basis, and its URL. */
    rule_reference: string | null;
    rule_url: string | null;
    is_active: Flag;
    question_order: number;
  };
  eligibility_question_translations: {
    question_key: string;
    language_code: string;
    question_text: string;
    explanation: string;
    hint: string | null;
  };
  facts: {
    id: Generated<number>;
    fact_key: string;
    value: string;
    unit: string;
    /** First and last day, inclusive, as yyyy-MM-dd; null: still valid at the last check. */
    valid_from: string;
    valid_to: string | null;
    /** In English; other languages are in the translations table. */
    source_title: string;
    source_url: string;
    checked_on: string;
    confidence: string | null;
  };
  fact_translations: {
    fact_key: string;
    valid_from: string;
    language_code: string;
    source_title: string;
  };
  guidance_content: {
    id: Generated<number>;
    /** Identifies the same step, tip, warning or resource across languages. */
    content_key: string;
    language_code: string;
    kind: GuidanceKind;
    /** Within its kind. */
    display_order: number;
    is_published: Flag;
    /**
     * For tips and warnings, the text itself. All texts may contain placeholders, such as
     * {fee_total}.
     */
    title: string;
    summary: string | null;
    estimated_minutes: number | null;
    /** JSON arrays of strings. */
    key_points: string;
    mistakes: string;
    /** JSON array of { label, url }. */
    links: string;
    /** The URL of a resource. */
    url: string | null;
  };
  eligibility_assessments: {
    id: Generated<number>;
    session_id: string;
    country_code: string;
    is_country_eligible: Flag;
    /** JSON object: question_key to yes or no. */
    assessment_data: string;
    is_eligible: Flag;
    /** JSON array of strings, in the visitor's language. */
    disqualifying_factors: string;
    /** JSON array of the same factors as keys, to show them in another language. */
    factor_keys: string;
    outcome: Outcome;
    /** The visitor's language. */
    language_code: string;
    /** ISO 8601 in UTC. */
    completed_at: string;
  };
  deleted_assessments: {
    /** SHA-256 of the `session_id`, in hexadecimal. */
    session_hash: string;
    /** ISO 8601 in UTC. */
    deleted_at: string;
  };
  shipped_content: {
    /** A row that came with the program, by table and key; or `everything`. */
    subject: string;
    /** Of the row as it came last. */
    hash: string;
  };
}

/** The typed query builder of a database, or of a transaction in it. */
export type Database = Kysely<Schema>;
