import { EMAIL_FIELD } from '../accounts';
import type { Field, Form } from '../form';

/** How often a date of birth may be tried with one link (live-mode.md, the application). */
export const BIRTH_TRIES = 5;

export const BIRTH = 'date_of_birth';

export const STATUS_FORM = [
  {
    name: 'reference',
    type: 'text',
    required: true,
    // Eight symbols and a prefix, with what people put between them.
    max_length: 40,
    rule: 'reference',
    autocapitalize: 'characters',
    autocomplete: 'off',
  },
  { ...EMAIL_FIELD, autocomplete: 'email' },
] as const satisfies Form & readonly Field[];
