import { getCollectionProps, getInputProps, useField } from '@conform-to/react';
import { type ReactNode } from 'react';

import { useTranslation } from 'react-i18next';

import { DATE_PARTS } from '~/domain/application/answers';
import { controlOf, ErrorText } from './field';
import { BARE, bare, type Texts, useProblem } from './post-form';

interface BoxProps extends Pick<Texts, 'name' | 'id'> {
  children: ReactNode;
  value?: string;
  isRequired?: boolean;
  /** The first thing to mend: it takes the focus. */
  isFirst?: boolean;
  className?: string;
}

export function Box({
  name,
  id = name,
  children,
  value = 'yes',
  isRequired,
  isFirst,
  className = '',
}: BoxProps) {
  const [sent] = useField<string>(name);
  const error = useProblem(name, sent);
  return (
    <div className={error && 'group wrong'}>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <label className={`flex min-h-11 gap-3 py-2.5 leading-normal ${className}`}>
        <input
          {...bare(getInputProps(sent, { ...BARE, type: 'checkbox', value }))}
          {...controlOf(id, error)}
          required={isRequired}
          autoFocus={isFirst} // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
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
