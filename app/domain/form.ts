interface FieldBase {
  name: string;
  required: boolean | 'conditional';
  /** Optional, but not marked as optional (specification, section 5). */
  unmarked?: true;
  /** An additional rule: a name in `RULES` or in the rules of the `FormContext`. */
  rule?: string;
  max_length?: number;
  pattern?: string;
  autocomplete?: string;
  autocapitalize?: string;
  inputmode?: 'numeric' | 'decimal';
  min_length?: number;
  show_if?: { field: string; equals: string } | { derived: string };
  example?: string;
  /** What to enter if the answer is not known; accepted whatever the rule says. */
  unknown_value?: string;
  default?: string;
  default_from?: string;
  must_equal?: string;
  must_be_true?: boolean;
  /** Bounds of a number or a date: a value, `today`, `this year + 15`, or the name of a field. */
  min?: number | string;
  max?: number | string;
  /** These cause a warning or block certification; they never prevent saving. */
  warn_if_different_from?: string;
  cannot_be_certified_if?: string;
  flag_if?: readonly string[];
  official?: 'required' | 'optional' | 'conditional' | 'not_asked';
}

export interface Field extends FieldBase {
  type: FieldType;
  /** Of a choice: themselves, or the name of a list of the `FormContext`. */
  options?: readonly string[] | string;
}

/** `password`: never shown again, and taken with its spaces. */
type FieldType =
  | ('text' | 'email' | 'tel' | 'password' | 'textarea' | 'number' | 'date')
  | ('yes_no' | 'checkbox' | 'select' | 'radio' | 'select_country');

export interface Repeat extends FieldBase {
  type: 'repeat';
  max_items: number;
  fields: readonly Field[];
}

export type StepField = Field | Repeat;

/** Each field is described once: schema, controls, error summary and draft are derived from it. */
export type Form = readonly Field[];

export type Values<F extends Form> = {
  [K in F[number] as K['name']]: K extends { required: true } ? string : string | undefined;
};

export type Problem = string;

export type Rule = (text: string) => Problem | undefined;

/** Rules that depend on the day, lists from the database. */
export interface FormContext {
  rules?: Record<string, Rule>;
  lists?: Record<string, readonly string[]>;
}

export function choicesOf(field: Field, { lists }: FormContext = {}) {
  if (field.type === 'yes_no') return ['yes', 'no'];
  const { options = field.type === 'select_country' ? 'countries' : undefined } = field;
  if (typeof options !== 'string') return options;
  const list = lists?.[options];
  if (!list) throw new Error(`${field.name}: there is no list called ${options}`);
  return list;
}

export const PHONE = /^[+\d][\d\s()./-]{4,}$/;

/** Characters that turn the direction of what follows, unseen: a text reads otherwise than it is. */
export const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Control characters, and those above, which nobody types into a line of text. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
export const HIDDEN_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
