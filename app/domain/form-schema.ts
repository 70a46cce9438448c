import { z } from 'zod/v4';

import { choicesOf, type Field, type Form, type FormContext, type Rule, type Values } from './form';

const RULES: Record<string, Rule> = {
  email: (text) => (z.email().safeParse(text).success ? undefined : 'email'),
  phone: (text) => (/^[+\d][\d\s()./-]{4,}$/.test(text) ? undefined : 'phone'),
};

/**
 * The schema of a form: an object of texts, those that are left out undefined. Messages are
 * problems: `required`, `tooLong`, `hidden` (control characters), `choice`, or a rule's own.
 *
 * @throws if a field names a rule or a list that nobody gives
 */
export function formSchema<F extends Form>(form: F, context: FormContext = {}) {
  const fields = form.map((field) => [field.name, fieldSchema(field, context)] as const);
  return z.object(Object.fromEntries(fields)) as unknown as z.ZodType<Values<F>>;
}

function fieldSchema(field: Field, context: FormContext) {
  const judge = judgeOf(field, context);
  // An empty field is sent as an empty text, or not at all.
  const text = z
    .string()
    .optional()
    .transform((sent) => clean(sent ?? '') || undefined);
  return text.superRefine((value, check) => {
    const problem =
      value === undefined ? (field.required === true ? 'required' : undefined) : judge(value);
    if (problem) check.addIssue({ code: 'custom', message: problem });
  });
}

function judgeOf(field: Field, context: FormContext): Rule {
  const choices = choicesOf(field, context);
  const rule = field.rule === undefined ? undefined : (context.rules ?? RULES)[field.rule];
  if (field.rule !== undefined && !rule) {
    throw new Error(`${field.name}: there is no rule called ${field.rule}`);
  }
  return (text) => {
    if (choices) return choices.includes(text) ? undefined : 'choice';
    if (field.max_length !== undefined && [...text].length > field.max_length) return 'tooLong';
    if (field.type !== 'textarea' && HIDDEN.test(text)) return 'hidden';
    return rule?.(text);
  };
}

/** Text as it is judged and kept: one kind of line break, composed letters, no space around. */
function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC').trim();
}

// eslint-disable-next-line no-control-regex -- these are what is looked for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
