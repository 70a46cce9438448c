import {
  type FieldMetadata,
  getFormProps,
  getInputProps,
  getSelectProps,
  getTextareaProps,
  type SubmissionResult,
  useForm,
} from '@conform-to/react';
import type { Form as RemixForm } from '@remix-run/react';
import { type FormHTMLAttributes, type ReactNode, type Ref, useMemo } from 'react';

import { choicesOf, type Field as FieldDescriptor, type Form } from '~/domain/form';
import type { Refusal } from '~/http/refusal';
import { type ControlProps, Field } from './field';
import { PAGE_FORM } from './root-data';

/** The texts of a form; each page provides its own. */
export interface FormWords {
  label: (name: string) => string;
  hint: (name: string) => string | undefined;
  /** The text after the label of an optional field. */
  optional: string;
  /** The error message of a field. */
  problem: (name: string, problem: string) => string;
  /** The label of an option; an empty value is the option before anything is chosen. */
  option: (name: string, value: string) => string;
}

interface DescribedFormProps extends Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'form' | 'id' | 'method' | 'hidden'
> {
  /** Of the form element; without, the page's own. */
  id?: string;
  form: Form;
  refusal: Refusal | undefined;
  words: FormWords;
  /** The id of a field, where a page has several forms with fields of the same name. */
  fieldId?: (name: string) => string;
  /** Fields that nobody sees. */
  hidden?: Record<string, string | number>;
  /** Before the fields. */
  before?: ReactNode;
  /** After the fields: the button. */
  children: ReactNode;
  /** Where React runs, another element. */
  as?: 'form' | typeof RemixForm;
  own?: Ref<HTMLFormElement>;
}

/** A form from its descriptor, with submitted values and errors. */
export function DescribedForm(props: DescribedFormProps) {
  const { id = PAGE_FORM, form, refusal, words, fieldId = (name) => name, ...more } = props;
  const { hidden = {}, before, children, as = 'form', own, ...attributes } = more;
  const Element = as as 'form';
  const [meta, fields] = useForm<Record<string, string>>({
    id,
    lastResult: useMemo(() => resultOf(refusal), [refusal]),
    constraint: constraintsOf(form),
  });
  return (
    // The server judges: a browser's own messages are not in the language of the page.
    <Element {...getFormProps(meta)} ref={own} method="post" {...attributes} noValidate>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {before}
      <div className="grid max-w-2xl gap-5">
        {form.map((field) => {
          const { name, required, unmarked } = field;
          const sent = fields[name];
          const problem = sent?.errors?.[0];
          return (
            <Field
              key={name}
              id={fieldId(name)}
              label={words.label(name)}
              note={required || unmarked ? undefined : words.optional}
              hint={words.hint(name)}
              error={problem && words.problem(name, problem)}
            >
              {(control) =>
                sent && (
                  <Control field={field} sent={sent} control={control} option={words.option} />
                )
              }
            </Field>
          );
        })}
      </div>
      {children}
    </Element>
  );
}

/**
 * What the server has said, as conform takes it: as no error, for which it would move the focus to the first
 * field, away from the summary or from where somebody types.
 */
function resultOf(refusal: Refusal | undefined): SubmissionResult | undefined {
  if (!refusal) return undefined;
  const errors = Object.entries(refusal.errors).map(([name, code]) => [name, code ? [code] : null]);
  return {
    initialValue: refusal.values as Record<string, string>,
    error: Object.fromEntries(errors) as Record<string, string[] | null>,
  };
}

/** What a browser holds somebody to who types: it never judges. */
const constraintsOf = (form: Form) =>
  Object.fromEntries(
    form.map(({ name, type, required, max_length }) => [
      name,
      // `maxLength` counts UTF-16 code units, of which a code point has up to two.
      {
        required: required === true,
        ...(max_length && type !== 'textarea' && { maxLength: max_length * 2 }),
      },
    ]),
  );

interface ControlOfProps {
  field: FieldDescriptor;
  sent: FieldMetadata<string>;
  control: ControlProps;
  option: FormWords['option'];
}

function Control({ field, sent, control, option }: ControlOfProps) {
  const { name, type, autocomplete, autocapitalize, inputmode } = field;
  const common = {
    ...control,
    autoComplete: autocomplete,
    autoCapitalize: autocapitalize,
    inputMode: inputmode,
    className: 'field',
  };
  if (type === 'textarea') {
    return <textarea {...bare(getTextareaProps(sent, BARE))} {...common} rows={7} />;
  }
  const choices = choicesOf(field);
  if (choices) {
    return (
      <select {...bare(getSelectProps(sent, BARE))} {...common}>
        {['', ...choices].map((choice) => (
          <option key={choice} value={choice}>
            {option(name, choice)}
          </option>
        ))}
      </select>
    );
  }
  // A password is never in a page, whatever it was handed.
  const input = { ...BARE, type, value: type !== 'password' } as { type: 'text'; value: boolean };
  return <input {...bare(getInputProps(sent, input))} {...common} />;
}

/** `Field` says what describes a control. */
const BARE = { ariaAttributes: false } as const;
/** Without what the form around it says already. */
const bare = <P extends { key: unknown; form: unknown }>({ key: _, form: __, ...props }: P) =>
  props;
