import { EMAIL_FIELD } from './accounts';
import type { Form } from './form';

export const CONTACT_CATEGORIES = [
  'application',
  'eligibility',
  'status',
  'payment',
  'technical',
  'other',
] as const;

const WHO = [
  { name: 'name', type: 'text', required: true, max_length: 100, autocomplete: 'name' },
  { ...EMAIL_FIELD, autocomplete: 'email' },
  {
    name: 'phone',
    type: 'tel',
    required: false,
    max_length: 32,
    rule: 'phone',
    autocomplete: 'tel',
  },
  {
    name: 'category',
    type: 'select',
    required: false,
    unmarked: true,
    options: CONTACT_CATEGORIES,
  },
] as const;
const WHAT = [
  {
    name: 'applicationNumber',
    type: 'text',
    required: false,
    max_length: 32,
    example: '1234567890123456',
  },
  { name: 'subject', type: 'text', required: true, max_length: 150 },
  { name: 'message', type: 'textarea', required: true, max_length: 5000 },
] as const;

/** Specification, sections 3 and 5: the category is marked as required, but may be left empty. */
export const CONTACT_FORM = [...WHO, ...WHAT] as const satisfies Form;

/** Where applications are made here, our own number has a field of its own. */
export const LIVE_CONTACT_FORM = [
  ...WHO,
  { name: 'reference', type: 'text', required: false, max_length: 32 },
  ...WHAT,
] as const satisfies Form;

/** Back to us, by the link in a mail of ours: who writes and what about is known. */
export const REPLY_FORM = [
  { name: 'message', type: 'textarea', required: true, max_length: 5000 },
] as const satisfies Form;
