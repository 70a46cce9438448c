import {
  type FieldMetadata,
  FormProvider,
  getCollectionProps,
  getFormProps,
  getInputProps,
  getSelectProps,
  getTextareaProps,
  type SubmissionResult,
  useField,
  useForm,
} from '@conform-to/react';
import type { Form as RemixForm, FormProps } from '@remix-run/react';
import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useMemo,
} from 'react';

import { useTranslation } from 'react-i18next';

import { DATE_PARTS } from '~/domain/application/answers';
import { choicesOf, type Form } from '~/domain/form';
import type { Refusal } from '~/http/refusal';
import { controlOf, ErrorText, Field } from './field';
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
  /** The id of a field, where a page has several forms with fields of the same name. */
  fieldId?: (name: string) => string;
}

interface PostFormProps extends Omit<FormProps, 'id' | 'hidden'> {
  /** Of the form element; without, the page's own. */
  id?: string | undefined;
  /** What was refused: its values and errors are shown again. */
  refusal?: Pick<Refusal, 'values' | 'errors'> | undefined;
  /** The error message of a field. */
  problem?: FormWords['problem'];
  constraint?: ReturnType<typeof constraintsOf>;
  /** Fields that nobody sees, where they have a value. */
  hidden?: Record<string, string | number | undefined>;
  /** What its first button does, for who presses Enter. */
  intent?: string;
  /** Where React runs, another element. */
  as?: 'form' | typeof RemixForm;
  own?: Ref<HTMLFormElement>;
}

const ProblemText = createContext<FormWords['problem']>((_, code) => code);

/** A form; each control in it finds by its name what was typed and what is wrong with it. */
export function PostForm(props: PostFormProps) {
  const { id = PAGE_FORM, refusal, problem, constraint, hidden = {}, intent, ...more } = props;
  const { as = 'form', own, children, ...attributes } = more;
  const Element = as as 'form';
  const lastResult = useMemo(() => resultOf(refusal), [refusal]);
  const [meta] = useForm<Record<string, string>>({ id, lastResult, constraint: constraint ?? {} });
  const fields = (
    // The server judges: a browser's own messages are not in the language of the page.
    <Element {...getFormProps(meta)} ref={own} method="post" noValidate {...attributes}>
      {Object.entries(hidden).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {intent && <input type="hidden" name="intent" value={intent} />}
      {children}
    </Element>
  );
  return (
    <FormProvider context={meta.context}>
      {problem ? <ProblemText.Provider value={problem}>{fields}</ProblemText.Provider> : fields}
    </FormProvider>
  );
}

interface DescribedFormProps extends PostFormProps {
  form: Form;
  words: FormWords;
  before?: ReactNode;
}

/** A form from its descriptor; its children, such as the button, stand after the fields. */
export function DescribedForm(props: DescribedFormProps) {
  const { form, words, before, children, ...attributes } = props;
  const { fieldId = (name: string) => name } = words;
  const constraint = useMemo(() => constraintsOf(form), [form]);
  return (
    <PostForm {...attributes} {...{ constraint }} problem={words.problem}>
      {before}
      <div className="grid max-w-2xl gap-5">
        {form.map((field) => {
          const { name, type, required, unmarked } = field;
          const choices = choicesOf(field);
          const texts = {
            ...{ name, id: fieldId(name), label: words.label(name), hint: words.hint(name) },
            note: required || unmarked ? undefined : words.optional,
          };
          const typing = {
            autoComplete: field.autocomplete,
            autoCapitalize: field.autocapitalize,
            inputMode: field.inputmode,
          };
          if (choices) {
            const options = ['', ...choices].map((one) => [one, words.option(name, one)] as const);
            return (
              <SelectField
                key={name}
                {...texts}
                {...{ options }}
                autoComplete={field.autocomplete}
              />
            );
          }
          const rows = type === 'textarea' ? 7 : undefined;
          return <TextField key={name} {...texts} {...typing} {...{ type, rows }} />;
        })}
      </div>
      {children}
    </PostForm>
  );
}

interface Texts {
  name: string;
  /** The id of the control; without, its name. */
  id?: string | undefined;
  label: string;
  isLabelHidden?: boolean;
  hint?: string | undefined;
  /** Text after the label. */
  note?: string | undefined;
}

/** What is wrong with a field, in words. */
export function useProblem(name: string, { errors }: FieldMetadata<string>): string | undefined {
  const problem = useContext(ProblemText);
  return errors?.[0] && problem(name, errors[0]);
}

type TextFieldProps = Texts &
  Omit<InputHTMLAttributes<HTMLInputElement>, keyof Texts> & {
    /** Of several lines: so many. */
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
          const own = attributes as TextareaHTMLAttributes<HTMLTextAreaElement>;
          return (
            <textarea
              {...bare(getTextareaProps(sent, BARE))}
              {...control}
              {...own}
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

type SelectFieldProps = Texts &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof Texts> & {
    /** Values with their labels, in their order. */
    options: readonly (readonly [value: string, label: string])[];
  };

/** A field in which one of several is chosen from a list. */
export function SelectField(props: SelectFieldProps) {
  const {
    name,
    id = name,
    label,
    isLabelHidden,
    hint,
    note,
    options,
    className = '',
    ...attributes
  } = props;
  const [sent] = useField<string>(name);
  const error = useProblem(name, sent);
  return (
    <Field {...{ id, label, isLabelHidden, hint, note, error }}>
      {(control) => (
        <select
          {...bare(getSelectProps(sent, BARE))}
          {...control}
          {...attributes}
          className={`field ${className}`}
        >
          {options.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface BoxProps extends Pick<Texts, 'name' | 'id'> {
  /** What it stands for: text, which may have links. */
  children: ReactNode;
  value?: string;
  isRequired?: boolean;
  className?: string;
}

export function Box({
  name,
  id = name,
  children,
  value = 'yes',
  isRequired,
  className = '',
}: BoxProps) {
  const [sent] = useField<string>(name);
  const error = useProblem(name, sent);
  return (
    <div>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <label className={`flex min-h-11 gap-3 py-2.5 leading-normal ${className}`}>
        <input
          {...bare(getInputProps(sent, { ...BARE, type: 'checkbox', value }))}
          {...controlOf(id, error)}
          required={isRequired}
          className="size-6 shrink-0 accent-action"
        />
        <span>{children}</span>
      </label>
    </div>
  );
}

interface ChoiceProps extends Pick<Texts, 'name' | 'id' | 'label'> {
  options: readonly (readonly [value: string, label: ReactNode])[];
}

/** A question with its answers, of which one is chosen. */
export function Choice({ name, id = name, label, options }: ChoiceProps) {
  const [sent] = useField<string>(name);
  const error = useProblem(name, sent);
  const values = options.map(([value]) => value);
  return (
    <fieldset aria-describedby={error && `${id}-error`}>
      <legend className="font-[650]">{label}</legend>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <div className="flex flex-wrap gap-x-6">
        {getCollectionProps(sent, { ...BARE, type: 'radio', options: values }).map(
          (radio, index) => (
            <label key={radio.value} className="flex min-h-11 items-center gap-3">
              <input
                {...bare(radio)}
                id={index === 0 ? id : undefined}
                className="size-6 accent-action"
              />
              {options[index]?.[1]}
            </label>
          ),
        )}
      </div>
    </fieldset>
  );
}

/** A day in its parts, the month by its number or its name. */
export function DateField({ name, label, hint }: Pick<Texts, 'name' | 'label' | 'hint'>) {
  const [sent] = useField<string>(name);
  const error = useProblem(name, sent);
  return (
    <fieldset>
      <legend className="font-[650]">{label}</legend>
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <ErrorText id={`${name}-error`}>{error}</ErrorText>}
      <div className="mt-1 flex flex-wrap gap-3">
        {DATE_PARTS.map((part) => (
          <DatePart key={part} {...{ name, part, hint, error }} />
        ))}
      </div>
    </fieldset>
  );
}

interface DatePartProps extends Pick<Texts, 'name' | 'hint'> {
  part: (typeof DATE_PARTS)[number];
  error: string | undefined;
}

function DatePart({ name, part, hint, error }: DatePartProps) {
  const { t } = useTranslation('application-fields');
  const [sent] = useField<string>(`${name}.${part}`);
  const isMonth = part === 'month';
  return (
    <label className={isMonth ? 'w-36' : 'w-20'}>
      <span className="text-sm">{t(`parts.${part}`)}</span>
      <input
        {...bare(getInputProps(sent, { ...BARE, type: 'text' }))}
        {...controlOf(name, error, hint)}
        id={`${name}-${part}`}
        inputMode={isMonth ? undefined : 'numeric'}
        maxLength={isMonth ? 20 : 4}
        // Nobody's browser has it to fill in.
        autoComplete="off"
        className="field"
      />
    </label>
  );
}

/**
 * What the server has said, as conform takes it: as no error, for which it would move the focus to the first
 * field, away from the summary or from where somebody types.
 */
function resultOf(refusal: PostFormProps['refusal']): SubmissionResult | undefined {
  if (!refusal) return undefined;
  const errors = Object.entries(refusal.errors).map(([name, code]) => [name, code ? [code] : null]);
  return {
    initialValue: nested(refusal.values) as Record<string, string>,
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
/** Without what the form around it says already. */
export const bare = <P extends { key: unknown; form: unknown }>({
  key: _,
  form: __,
  ...props
}: P) => props;
