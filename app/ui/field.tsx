import type { InputHTMLAttributes, ReactNode } from 'react';

import { Icon } from './elements';

export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export const controlOf = (id: string, error?: string, hint?: string): ControlProps => ({
  id,
  'aria-describedby':
    [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
  'aria-invalid': error ? true : undefined,
});

interface FieldProps {
  id: string;
  label: string;
  isLabelHidden?: boolean | undefined;
  note?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

export function Field({ id, label, isLabelHidden, note, hint, error, children }: FieldProps) {
  return (
    <div>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-[650]'}>
        {label}
        {note && <span className="font-normal text-muted">{` ${note}`}</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <div className={isLabelHidden ? undefined : 'mt-1'}>
        {children(controlOf(id, error, hint))}
      </div>
    </div>
  );
}

/** Of a `group` it is gone once an answer is given. */
export function ErrorText({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p
      id={id}
      className="clear-both mt-1 flex gap-2 leading-[1.4] font-semibold text-bad group-has-checked:hidden"
    >
      <Icon name="circle-alert" className="mt-0.5" />
      {children}
    </p>
  );
}

export function Tick({ children, ...box }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex min-h-11 gap-3 py-2.5 leading-normal">
      <input type="checkbox" {...box} className="mt-0.5 size-5 shrink-0 accent-action" />
      <span>{children}</span>
    </label>
  );
}
