import type { Answers } from '~/domain/eligibility';

/** What the action says of a form that it refused. */
export interface Refusal {
  /**
   * `changed`: the form held questions that are not asked (any more). `failed`: nothing can be read
   * just now; `notSaved`: nothing can be written. `tooMany`: too many forms from this client.
   */
  problem: 'invalidCountry' | 'incomplete' | 'changed' | 'failed' | 'notSaved' | 'tooMany';
  /** Keys of the locales by field. */
  errors: Record<string, string[] | null>;
  /** What was typed; a page that answers a POST is loaded with the cookie of before. */
  answers?: Answers | undefined;
}
