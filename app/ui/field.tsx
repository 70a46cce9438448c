import type { ReactNode } from 'react';

import { Icon } from './icon';

/** The attributes a control gets from its field. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  id: string;
  label: string;
  /** Text after the label: "(optional)". */
  note?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** A control with label, hint and error, linked for assistive technology. */
export function Field({ id, label, note, hint, error, children }: FieldProps) {
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div>
      <label htmlFor={id} className="font-[650]">
        {label}
        {note && <span className="font-normal text-muted">{` ${note}`}</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <div className="mt-1">
        {children({
          id,
          'aria-describedby': describedBy || undefined,
          'aria-invalid': error ? true : undefined,
        })}
      </div>
    </div>
  );
}

/** What is wrong with a field; its control is described by it. */
export function ErrorText({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-2 text-sm font-semibold text-bad">
      <Icon name="circle-alert" className="mt-0.5 size-5" />
      {children}
    </p>
  );
}
