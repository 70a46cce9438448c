import { choicesOf, type Field as FieldDescriptor, type Form } from '~/domain/form';
import type { Refusal } from '~/http/refusal';
import { type ControlProps, Field } from './field';

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

interface FormFieldsProps {
  form: Form;
  refusal: Refusal | undefined;
  words: FormWords;
  /** The id of a field, where a page has several forms with fields of the same name. */
  fieldId?: (name: string) => string;
}

/** The fields of a form from its descriptor, with submitted values and errors. */
export function FormFields({ form, refusal, words, fieldId = (name) => name }: FormFieldsProps) {
  return (
    <div className="grid max-w-2xl gap-5">
      {form.map((field) => {
        const { name, required, unmarked } = field;
        const problem = refusal?.errors[name];
        return (
          <Field
            key={name}
            id={fieldId(name)}
            label={words.label(name)}
            note={required || unmarked ? undefined : words.optional}
            hint={words.hint(name)}
            error={problem && words.problem(name, problem)}
          >
            {(control) => (
              <Control
                field={field}
                control={control}
                value={refusal?.values[name]}
                option={words.option}
              />
            )}
          </Field>
        );
      })}
    </div>
  );
}

interface ControlOfProps {
  field: FieldDescriptor;
  control: ControlProps;
  value: string | undefined;
  option: FormWords['option'];
}

function Control({ field, control, value, option }: ControlOfProps) {
  const { name, type, required, max_length, autocomplete, autocapitalize, inputmode } = field;
  const common = {
    ...control,
    name,
    // Never in a page, whatever it was handed.
    defaultValue: type === 'password' ? undefined : value,
    required: required === true,
    autoComplete: autocomplete,
    autoCapitalize: autocapitalize,
    inputMode: inputmode,
    className: 'field',
  };
  if (type === 'textarea') return <textarea {...common} rows={7} />;
  const choices = choicesOf(field);
  if (choices) {
    return (
      <select {...common}>
        {['', ...choices].map((choice) => (
          <option key={choice} value={choice}>
            {option(name, choice)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...common}
      type={type}
      // `maxLength` counts UTF-16 code units, of which a code point has up to two.
      maxLength={max_length && max_length * 2}
    />
  );
}
