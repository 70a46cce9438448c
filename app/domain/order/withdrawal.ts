import { EMAIL_FIELD, NAME_LENGTH } from '../accounts';
import { REFERENCE_FIELD } from '../application/links';
import type { Form } from '../form';

/** What somebody declares who withdraws (Directive 2011/83/EU, article 11a(2)). */
export const WITHDRAWAL_FORM = [
  { name: 'name', type: 'text', required: true, max_length: NAME_LENGTH * 2, autocomplete: 'name' },
  // Whatever somebody takes for a reference is declared all the same.
  { ...REFERENCE_FIELD, max_length: 80 },
  { ...EMAIL_FIELD, autocomplete: 'email' },
] as const satisfies Form;

/** What no name is made of, and what a mail program would make a link of. */
const NOT_OF_NAMES = /[^\p{L}\p{M}'’-]+/gu;

const NOT_OF_REFERENCES = /[^\p{L}\d-]+/gu;

/** As a mail repeats it to an unconfirmed address: nobody sends a link or a number by it. */
export function repeatable({ name, reference }: { name: string; reference: string }) {
  const plain = (text: string, signs: RegExp) => text.replace(signs, ' ').trim() || '–';
  return { name: plain(name, NOT_OF_NAMES), reference: plain(reference, NOT_OF_REFERENCES) };
}

/** So long who owns the contract can say that it was not them who declared a withdrawal. */
export const ANSWER_HOURS = 24;

export const ANSWERS = ['no', 'yes'] as const;
export type WithdrawalAnswer = (typeof ANSWERS)[number];

export const RECEIPT_MINUTES = 60;
