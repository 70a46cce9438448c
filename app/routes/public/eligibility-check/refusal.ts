import type { Refusal } from '~/http/refusal';

/**
 * Errors of a step's form as a whole. `changed`: the form contained questions that are not asked
 * (any more). `failed`: the database cannot be read; `notSaved`: it cannot be written. `tooMany`:
 * the client's rate limit is exceeded.
 */
export type WizardProblem =
  | 'invalidCountry'
  | 'incomplete'
  | 'changed'
  | 'failed'
  | 'notSaved'
  | 'tooMany';

/** Returned by the action for a refused form; the values are the answers. */
export type WizardRefusal = Refusal<WizardProblem>;
