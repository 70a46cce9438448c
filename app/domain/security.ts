import {
  EMAIL_FIELD,
  FIRST_NAME_FIELD,
  LAST_NAME_FIELD,
  NEW_PASSWORD_FIELD,
  PASSWORD_FIELD,
} from './accounts';
import { CODE } from './factors';
import type { Field, Form } from './form';

export const SECURITY_INTENTS = [
  'name',
  'email',
  'password',
  'add-factor',
  'confirm-factor',
  'send-code',
  'remove-factor',
  'recovery-codes',
  'end-session',
  'end-sessions',
  'delete',
] as const;
export type SecurityIntent = (typeof SECURITY_INTENTS)[number];

export const formOf = (intent: SecurityIntent, id: string) => `${intent}-${id}`;

export const NAME_FORM = [
  { ...FIRST_NAME_FIELD, unmarked: true },
  { ...LAST_NAME_FIELD, unmarked: true },
] as const satisfies Form;

export const EMAIL_FORM = [
  // The new one: a password manager's `username` is still the one that the account has.
  { ...EMAIL_FIELD, autocomplete: 'email' },
] as const satisfies Form;

export const PASSWORD_FORM = [
  { ...PASSWORD_FIELD, name: 'current_password' },
  NEW_PASSWORD_FIELD,
] as const satisfies Form;

/** A code of the second factor that an account has, or one of its recovery codes. */
const PROOF = { ...CODE, autocomplete: 'one-time-code', autocapitalize: 'off' } as const;

export const CONFIRM_FORM = [{ ...PROOF, inputmode: 'numeric' }] as const satisfies Form;

const FRIENDLY_NAME = {
  name: 'friendly_name',
  type: 'text',
  required: true,
  max_length: 60,
  autocomplete: 'off',
} as const satisfies Field;

export const TOTP_FORM = [FRIENDLY_NAME] as const satisfies Form;

export const PHONE_FORM = [
  FRIENDLY_NAME,
  { name: 'phone', type: 'tel', required: true, max_length: 40, autocomplete: 'tel' },
] as const satisfies Form;

/** The account's password, and a code of the second factor where there is one (ASVS 7.5.1). */
export const withReauth = (form: Form, hasFactor: boolean): Form => [
  ...form,
  PASSWORD_FIELD,
  ...(hasFactor ? [PROOF] : []),
];

/** So long what was typed is not asked for again where the next step follows from it. */
const FRESH_S = 600;

type Methods = readonly { method: string; timestamp: number }[];

export const isFactorFresh = (methods: Methods, now: Date): boolean =>
  isFresh(methods, /^(totp|phone)$/, now);

/** Staff who join, and must add a second factor first, are not asked for it twice in a row. */
export const isPasswordFresh = (methods: Methods, now: Date): boolean =>
  isFresh(methods, /^(password|invite)$/, now);

function isFresh(methods: Methods, which: RegExp, now: Date): boolean {
  const seconds = now.getTime() / 1000;
  return methods.some(
    ({ method, timestamp }) => which.test(method) && seconds - timestamp < FRESH_S,
  );
}

export const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
