import { getSelectProps, useField } from '@conform-to/react';
import { type ReactNode, type SelectHTMLAttributes, useMemo } from 'react';

import { choicesOf, type Form } from '~/domain/form';
import { Field } from './field';
import {
  BARE,
  bare,
  constraintsOf,
  PostForm,
  type FormWords,
  type PostFormProps,
  type Texts,
  TextField,
  useProblem,
} from './post-form';

type DescribedFormProps = PostFormProps & { form: Form; words: FormWords; before?: ReactNode };

/** How wide a field is says how much is expected. */
function widthOf({ type, autocomplete, max_length = Infinity }: Form[number]) {
  if (type === 'tel' || type === 'select' || max_length <= 32) return 'sm:max-w-68';
  return autocomplete === 'name' || autocomplete === 'email' ? 'sm:max-w-88' : '';
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
            ...{ name, id: fieldId(name), label: words.label(name), hint: words.hint?.(name) },
            note: required || unmarked ? undefined : words.optional,
          };
          const typing = {
            className: widthOf(field),
            autoComplete: field.autocomplete,
            autoCapitalize: field.autocapitalize,
            inputMode: field.inputmode,
            placeholder: field.example,
          };
          if (choices) {
            const options = ['', ...choices].map(
              (one) => [one, words.option?.(name, one) ?? one] as const,
            );
            return (
              <SelectField
                key={name}
                {...texts}
                {...{ options }}
                autoComplete={field.autocomplete}
                className={typing.className}
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

type SelectFieldProps = Texts &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof Texts> & {
    options: readonly (readonly [value: string, label: string])[];
  };

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
