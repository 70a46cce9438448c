import { z } from 'zod/v4';

import { readReference } from './application/reference';
import {
  choicesOf,
  DIRECTION_MARKS,
  type Field,
  type Form,
  type FormContext,
  HIDDEN_CHARACTERS,
  PHONE,
  type Rule,
  type Values,
} from './form';

const EMAIL = z.email();

const RULES: Record<string, Rule> = {
  email: (text) => (isEmail(text) ? undefined : 'email'),
  phone: (text) => (PHONE.test(text) ? undefined : 'phone'),
  reference: (text) => (readReference(text) ? undefined : 'reference'),
};

export const isEmail = (text: string): boolean => EMAIL.safeParse(text).success;

/** Issues are problem codes: `required`, `tooLong`, `tooShort`, `hidden`, `choice`, or that of a rule. */
export function formSchema<F extends Form>(form: F, context: FormContext = {}) {
  const fields = form.map((field) => [field.name, fieldSchema(field, context)] as const);
  return z.object(Object.fromEntries(fields)) as unknown as z.ZodType<Values<F>>;
}

function fieldSchema(field: Field, context: FormContext) {
  const rule = ruleFor(field, context);
  const text = z
    .string()
    .optional()
    .transform((sent = '') => {
      if (field.type === 'password') return sent.normalize('NFKC');
      return normalize(field.type === 'textarea' ? sent.replace(DIRECTION_MARKS, '') : sent);
    })
    .transform((text) => text || undefined);
  return text.superRefine((value, check) => {
    const problem =
      value === undefined ? (field.required === true ? 'required' : undefined) : rule(value);
    if (problem) check.addIssue({ code: 'custom', message: problem });
  });
}

function ruleFor(field: Field, context: FormContext): Rule {
  const choices = choicesOf(field, context);
  const rule = field.rule === undefined ? undefined : (context.rules ?? RULES)[field.rule];
  if (field.rule !== undefined && !rule) {
    throw new Error(`${field.name}: there is no rule called ${field.rule}`);
  }
  return (text) => {
    if (choices) return choices.includes(text) ? undefined : 'choice';
    if (field.max_length !== undefined && [...text].length > field.max_length) return 'tooLong';
    if (field.min_length !== undefined && [...text].length < field.min_length) return 'tooShort';
    if (field.type !== 'textarea' && HIDDEN_CHARACTERS.test(text)) return 'hidden';
    return rule?.(text);
  };
}

/** More accents than any language has (Unicode Annex 15): ordering thousands takes their number squared. */
const ENDLESS_ACCENTS = /\p{M}{31}/u;

/** ASCII in one line without spaces around it: what most people type. */
const NORMAL = /^[!-~](?:[ -~]*[!-~])?$/;

export function normalize(text: string): string {
  if (text === '' || NORMAL.test(text)) return text;
  const lines = text.replace(/\r\n?/g, '\n').trim();
  return ENDLESS_ACCENTS.test(lines) ? lines : lines.normalize('NFC').trim();
}
