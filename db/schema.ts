import type { Generated } from 'kysely';

import type { CountryRemark } from '~/domain/country';
import type { Outcome, Severity, YesNo } from '~/domain/eligibility';
import type { GuidanceKind } from '~/domain/guide';

/** 0 or 1: SQLite has no booleans. */
type Flag = 0 | 1;

/** The tables, with the specification's names (section 3) and this project's further columns. */
export interface Schema {
  vwp_countries: {
    /** ISO 3166-1 alpha-2. */
    country_code: string;
    /** In English. */
    country_name: string;
    is_eligible: Flag;
    /** How long an ESTA of this country's citizens is valid; null where none is given. */
    esta_validity_months: number | null;
    remark: CountryRemark | null;
    /** The citizenship that people from a territory usually hold. */
    citizenship_code: string | null;
  };
  vwp_country_translations: {
    country_code: string;
    language_code: string;
    country_name: string;
    /** JSON list: other names that people type. */
    aliases: string;
  };
  eligibility_questions: {
    id: Generated<number>;
    question_key: string;
    /** In English, as are explanation and hint; other languages are rows of the translations. */
    question_text: string;
    explanation: string;
    hint: string | null;
    disqualifying_answer: YesNo;
    severity: Severity;
    /** The law behind the question, as it is cited, and where to read it. */
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
    /** Both ends as yyyy-MM-dd, included; no end: still valid when it was checked. */
    valid_from: string;
    valid_to: string | null;
    source_title: string;
    source_url: string;
    checked_on: string;
    confidence: string | null;
  };
  guidance_content: {
    id: Generated<number>;
    /** Names the same step, tip, warning or resource in every language. */
    content_key: string;
    language_code: string;
    kind: GuidanceKind;
    /** Within its kind. */
    display_order: number;
    is_published: Flag;
    /** The text itself for tips and warnings. All texts may hold placeholders, such as {fee_total}. */
    title: string;
    summary: string | null;
    estimated_minutes: number | null;
    /** JSON lists of text. */
    key_points: string;
    mistakes: string;
    /** JSON list of { label, url }. */
    links: string;
    /** Where a resource leads. */
    url: string | null;
  };
  eligibility_assessments: {
    id: Generated<number>;
    session_id: string;
    country_code: string;
    is_country_eligible: Flag;
    /** JSON map of question_key to yes or no. */
    assessment_data: string;
    is_eligible: Flag;
    /** JSON list of text, in the visitor's language. */
    disqualifying_factors: string;
    /** JSON list of the same factors as keys, to show them in another reader's language. */
    factor_keys: string;
    outcome: Outcome;
    /** The visitor's language. */
    language_code: string;
    /** ISO 8601 in UTC. */
    completed_at: string;
  };
}
