import { EMAIL_FIELD, NAME_LENGTH, NEW_PASSWORD_FIELD } from './accounts';
import type { Form } from './form';

/** What staff may be (live-mode.md, status and work). */
export const STAFF_ROLES = ['agent', 'supervisor', 'auditor', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export function isStaffRole(word: string): word is StaffRole {
  return STAFF_ROLES.some((role) => role === word);
}

export const INVITATION_FORM = [
  { ...EMAIL_FIELD, autocomplete: 'off' },
  { name: 'role', type: 'select', required: true, options: STAFF_ROLES },
] as const satisfies Form;

const NAME_FIELD = { type: 'text', required: true, max_length: NAME_LENGTH } as const;

export const JOIN_FORM = [
  { name: 'first_name', ...NAME_FIELD, autocomplete: 'given-name' },
  { name: 'last_name', ...NAME_FIELD, autocomplete: 'family-name' },
  NEW_PASSWORD_FIELD,
] as const satisfies Form;
