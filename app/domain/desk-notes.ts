import type { Form } from './form';

/** What staff write down about a case, for each other. */
export const NOTE_FORM = [
  { name: 'note', type: 'textarea', required: true, max_length: 2000 },
] as const satisfies Form;
