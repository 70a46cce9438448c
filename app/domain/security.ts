import { EMAIL_FIELD, NAME_LENGTH, NEW_PASSWORD_FIELD, PASSWORD_FIELD } from './accounts';
import type { Field, Form } from './form';

/** What the security page's forms do; each form says it in its field `intent`. */
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

const NAME = { type: 'text', required: false, max_length: NAME_LENGTH } as const;

export const NAME_FORM = [
  { ...NAME, name: 'first_name', autocomplete: 'given-name', unmarked: true },
  { ...NAME, name: 'last_name', autocomplete: 'family-name', unmarked: true },
] as const satisfies Form;

export const EMAIL_FORM = [
  // The new one: a password manager's `username` is still the one that the account has.
  { ...EMAIL_FIELD, autocomplete: 'email' },
  PASSWORD_FIELD,
] as const satisfies Form;

export const PASSWORD_FORM = [
  { ...PASSWORD_FIELD, name: 'current_password' },
  NEW_PASSWORD_FIELD,
] as const satisfies Form;

/** A code of the second factor that an account has, or one of its recovery codes. */
const CODE = {
  name: 'code',
  type: 'text',
  required: true,
  max_length: 40,
  autocomplete: 'one-time-code',
  autocapitalize: 'off',
} as const satisfies Field;

/** The code by which a new factor shows that it works: six digits. */
export const CONFIRM_FORM = [{ ...CODE, inputmode: 'numeric' }] as const satisfies Form;

export const CODE_FORM = [CODE] as const satisfies Form;

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

export const DELETE_FORM = [PASSWORD_FIELD] as const satisfies Form;

/**
 * A form as it is for an account: with a second factor, what weighs most also asks for a code of it
 * now (live-mode.md, accounts).
 */
export function withCode<F extends Form>(form: F, hasFactor: boolean): Form {
  return hasFactor ? [...form, CODE] : form;
}

/** So long after the second factor was given, the first recovery codes ask for no other code. */
const FRESH_S = 600;

/**
 * Whether the second factor was given just now.
 *
 * @param methods of the session, with their time in seconds since 1970
 */
export function isFresh(methods: { method: string; timestamp: number }[], now: Date): boolean {
  const seconds = now.getTime() / 1000;
  return methods.some(
    ({ method, timestamp }) => /^(totp|phone)$/.test(method) && seconds - timestamp < FRESH_S,
  );
}

/** A secret as it is read and typed: in groups of four. */
export function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
