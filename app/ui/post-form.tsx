import {
  type FieldMetadata,
  FormProvider,
  getFormProps,
  getInputProps,
  getTextareaProps,
  type SubmissionResult,
  useField,
  useForm,
} from '@conform-to/react';
import type { Form as RemixForm, FormProps } from '@remix-run/react';
import {
  createContext,
  type InputHTMLAttributes,
  type Ref,
  type TextareaHTMLAttributes,
  useContext,
  useMemo,
} from 'react';

import { type Form } from '~/domain/form';
import type { Refusal } from '~/http/form.server';
import { Field } from './field';
import { PAGE_FORM } from './root-data';
import { Hidden } from './elements';

export interface FormWords {
  label: (name: string) => string;
  hint?: (name: string) => string | undefined;
  optional?: string;
  problem: (name: string, problem: string) => string;
  /** The label of an option; an empty value is the option before anything is chosen. */
  option?: (name: string, value: string) => string;
  fieldId?: (name: string) => string;
}

export interface PostFormProps extends Omit<FormProps, 'id' | 'hidden'> {
  id?: string | undefined;
  refusal?: Pick<Refusal, 'values' | 'errors'> | undefined;
  problem?: FormWords['problem'];
  constraint?: ReturnType<typeof constraintsOf>;
  hidden?: Record<string, string | number | undefined>;
  /** What its first button does, for who presses Enter. */
  intent?: string;
  as?: 'form' | typeof RemixForm;
  own?: Ref<HTMLFormElement>;
}

const ProblemText = createContext<FormWords['problem']>((_, code) => code);

export function PostForm(props: PostFormProps) {
  const { id = PAGE_FORM, refusal, problem, constraint, hidden = {}, intent, ...more } = props;
  const { as = 'form', own, children, ...attributes } = more;
  const Element = as as 'form';
  const lastResult = useMemo(() => resultOf(refusal), [refusal]);
  const [meta] = useForm<Record<string, string>>({ id, lastResult, constraint: constraint ?? {} });
  const fields = (
    // The server judges: a browser's own messages are not in the language of the page.
    <Element {...getFormProps(meta)} ref={own} method="post" noValidate {...attributes}>
      <Hidden {...hidden} {...(intent && { intent })} />
      {children}
    </Element>
  );
  return (
    <FormProvider context={meta.context}>
      {problem ? <ProblemText.Provider value={problem}>{fields}</ProblemText.Provider> : fields}
    </FormProvider>
  );
}

export interface Texts {
  name: string;
  id?: string | undefined;
  label: string;
  isLabelHidden?: boolean;
  hint?: string | undefined;
  note?: string | undefined;
}

export function useProblem(name: string, { errors }: FieldMetadata<string>): string | undefined {
  const problem = useContext(ProblemText);
  return errors?.[0] && problem(name, errors[0]);
}

type TextFieldProps = Texts &
  Omit<InputHTMLAttributes<HTMLInputElement>, keyof Texts> & {
    rows?: number | undefined;
  };

export function TextField(props: TextFieldProps) {
  const { name, id = name, label, isLabelHidden, hint, note, rows, type = 'text', ...more } = props;
  const { className = '', ...attributes } = more;
  const [sent] = useField<string>(name);
  const error = useProblem(name, sent);
  const look = { className: `field ${className}` };
  return (
    <Field {...{ id, label, isLabelHidden, hint, note, error }}>
      {(control) => {
        if (rows !== undefined) {
          return (
            <textarea
              {...bare(getTextareaProps(sent, BARE))}
              {...control}
              {...(attributes as TextareaHTMLAttributes<HTMLTextAreaElement>)}
              {...look}
              rows={rows}
            />
          );
        }
        // A password is never in a page, whatever it was handed.
        const kind = { ...BARE, type, value: type !== 'password' } as {
          type: 'text';
          value: boolean;
        };
        return (
          <input {...bare(getInputProps(sent, kind))} {...control} {...attributes} {...look} />
        );
      }}
    </Field>
  );
}

/** Not as an error of conform's, for which it would move the focus to the first field. */
function resultOf(refusal: PostFormProps['refusal']): SubmissionResult | undefined {
  if (!refusal) return undefined;
  const errors = Object.entries(refusal.errors).map(([name, code]) => [name, code ? [code] : null]);
  return {
    initialValue: nested(refusal.values) as Record<string, string>,
    error: Object.fromEntries(errors) as Record<string, string[] | null>,
  };
}

/** What a browser holds somebody to who types: it never judges. */
export const constraintsOf = (form: Form) =>
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

/** As conform has them: `born.day` is the day of `born`. */
function nested(values: Refusal['values']) {
  const all: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const [group = '', part] = name.split('.');
    all[group] = part === undefined ? value : { ...(all[group] as object), [part]: value };
  }
  return all;
}

/** `Field` says what describes a control. */
export const BARE = { ariaAttributes: false } as const;
export const bare = <P extends { key: unknown; form: unknown }>({
  key: _,
  form: __,
  ...props
}: P) => props;
