import type { Refusal } from '~/http/refusal';

/**
 * What can be wrong with a step's form as a whole. `changed`: the form held questions that are not
 * asked (any more). `failed`: nothing can be read just now; `notSaved`: nothing can be written.
 * `tooMany`: too many forms from this client.
 */
export type WizardProblem =
  'invalidCountry' | 'incomplete' | 'changed' | 'failed' | 'notSaved' | 'tooMany';

/** What the action says of a form that it refused; the values are the answers. */
export type WizardRefusal = Refusal<WizardProblem>;
