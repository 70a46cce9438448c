import type { Answers } from '~/domain/eligibility';

/** What the action says of a form that it refused. */
export interface Refusal {
  /** `changed`: the form held questions that are not asked (any more). */
  problem: 'invalidCountry' | 'incomplete' | 'changed' | 'failed';
  /** Keys of the locales by field. */
  errors: Record<string, string[] | null>;
  /** What was typed; a page that answers a POST is loaded with the cookie of before. */
  answers?: Answers | undefined;
}
