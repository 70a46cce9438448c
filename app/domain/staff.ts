import { STAFF_ROLES } from '~/access';
import { EMAIL_FIELD, NAME_LENGTH, NEW_PASSWORD_FIELD } from './accounts';
import type { Form } from './form';

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
