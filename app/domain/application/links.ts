import { EMAIL_FIELD } from '../accounts';
import type { Field, Form } from '../form';

/** How often a date of birth may be tried with one link (live-mode.md, the application). */
export const BIRTH_TRIES = 5;

export const BIRTH = 'date_of_birth';

export const REFERENCE_FIELD = {
  name: 'reference',
  type: 'text',
  required: true,
  autocapitalize: 'characters',
  autocomplete: 'off',
} as const satisfies Field;

export const STATUS_FORM = [
  // Eight symbols and a prefix, with what people put between them.
  { ...REFERENCE_FIELD, max_length: 40, rule: 'reference' },
  { ...EMAIL_FIELD, autocomplete: 'email' },
] as const satisfies Form;
