/** A text in several languages, by their codes. */
export type Texts = Readonly<Record<string, string>>;

/** A choice; without a label its words are in the locales, under its value. */
export type Option = string | { value: string; label: Texts };

/** What a field of any type can say of itself. */
interface FieldBase {
  /** As it is sent. */
  name: string;
  /** `conditional`: while it is shown. */
  required: boolean | 'conditional';
  /** It need not be filled in, but is not marked as optional either (specification, section 5). */
  unmarked?: true;
  /** A further rule, by its name in `RULES` or among those that the caller gives. */
  rule?: string;
  /** In code points: a letter outside the basic plane is one. */
  max_length?: number;
  /** A regular expression for the whole text. */
  pattern?: string;
  /** What a browser may fill in (HTML, autofill detail tokens). */
  autocomplete?: string;
  autocapitalize?: string;
  /** It is shown, checked and kept only while another field has this value. */
  show_if?: { field: string; equals: string } | { derived: string };
  /** Words that come with the field; where there are none they are in the locales, by its name. */
  label?: Texts;
  label_from?: string;
  hint?: Texts;
  example?: string;
  /** What to write where the answer is not known. */
  unknown_value?: string;
  /** What stands there before anything is typed. */
  default?: string | null;
  default_from?: string;
  normalise?: readonly ('trim' | 'collapse_spaces')[];
  must_equal?: string;
  must_be_true?: boolean;
  min?: number | string;
  max?: number | string;
  /** What makes a warning, or keeps an application from being certified; never from being saved. */
  warn_if_different_from?: string;
  cannot_be_certified_if?: string;
  flag_if?: readonly string[];
  /** What the official form does with the field. */
  official?: 'required' | 'optional' | 'conditional' | 'not_asked';
  official_question?: number;
  /** For who maintains the list. */
  note?: string;
  confidence?: string;
}

interface TypedField extends FieldBase {
  type: 'text' | 'email' | 'tel' | 'textarea' | 'number' | 'date' | 'yes_no' | 'checkbox';
}

interface CountryField extends FieldBase {
  type: 'select_country';
  /** The name of a list that the caller gives; all countries (`countries`) unless another is named. */
  options?: string;
}

interface ChoiceField extends FieldBase {
  type: 'select' | 'radio' | 'checkbox';
  /** The values, or the name of a list that the caller gives. */
  options: readonly Option[] | string;
}

/** A field that is sent as one text. */
export type Field = TypedField | CountryField | ChoiceField;

/**
 * Fields that are asked several times: other citizenships, earlier trips. A step of an application
 * has them; the forms of today have none.
 *
 * @public
 */
export interface Repeat extends FieldBase {
  type: 'repeat';
  max_items: number;
  fields: readonly Field[];
}

/**
 * A form: its fields in their order, each described once. Schema, controls, summary of errors and
 * draft come from it. The eight steps of an application are lists of the same type.
 */
export type Form = readonly Field[];

/** What a form holds once it is accepted. */
export type Values<F extends Form> = {
  [K in F[number] as K['name']]: K extends { required: true } ? string : string | undefined;
};

/** Why a field is refused; the words are in the locales, under the same name. */
export type Problem = string;

/** Judges a text that is not empty. */
export type Rule = (text: string) => Problem | undefined;

/** What a form needs beside its descriptor: rules that depend on the day, lists of the database. */
export interface FormContext {
  rules?: Record<string, Rule>;
  lists?: Record<string, readonly string[]>;
}

/** The values that a field lets choose; undefined if it can be any text. */
export function choicesOf(
  field: Field,
  { lists }: FormContext = {},
): readonly string[] | undefined {
  if (field.type === 'yes_no') return ['yes', 'no'];
  const options =
    field.type === 'select_country' ? (field.options ?? 'countries') : optionsOf(field);
  if (options === undefined) return undefined;
  if (typeof options !== 'string') {
    return options.map((option) => (typeof option === 'string' ? option : option.value));
  }
  const list = lists?.[options];
  if (!list) throw new Error(`${field.name}: there is no list called ${options}`);
  return list;
}

function optionsOf(field: Field): readonly Option[] | string | undefined {
  return 'options' in field ? field.options : undefined;
}
