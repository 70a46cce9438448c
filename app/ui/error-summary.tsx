import { useHydrated } from 'remix-utils/use-hydrated';
import { type ReactNode, useEffect, useRef } from 'react';

import type { Form } from '~/domain/form';
import type { Refusal } from '~/http/form.server';
import { Icon } from './elements';

/** `number` is the place of the field in its form, from 1. */
export type SummaryItem = { id: string; label?: string; text: string; number?: number };

export interface SummaryWords {
  /** Omitted if a form has only one field. */
  label?: (name: string) => string;
  problem: (name: string, problem: string) => string;
  fieldId?: (name: string) => string;
}

interface ErrorSummaryProps {
  title: string;
  description: string;
  /** Why the form is shown again; each new one takes the focus. */
  refusal?: Refusal | undefined;
  words?: SummaryWords;
  /** Lists the fields in its order; without, as the refusal has them. */
  form?: Form;
  /** For a form of many questions: this sentence, and the fields as numbers in a row. */
  numbered?: string | undefined;
  /** What the summary belongs to, if it is not the refusal. */
  trigger?: unknown;
  items?: readonly SummaryItem[];
  children?: ReactNode;
}

export function ErrorSummary(props: ErrorSummaryProps) {
  const { title, description, refusal, words, form, numbered, trigger = refusal, children } = props;
  const { items = words ? summaryItems(refusal, words, form) : [] } = props;
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  useEffect(() => {
    if (hydrated) box.current?.focus();
  }, [hydrated, trigger]);
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      // Where no script takes over, nothing else brings the reader here.
      autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
      className="mb-6 flex max-w-[48rem] gap-3 rounded-field border-3 border-bad bg-surface p-4"
    >
      <Icon name="circle-alert" className="mt-0.5 size-6 text-bad" />
      <div className="min-w-0">
        <p className="text-lg font-bold text-bad">{title}</p>
        <p>{description}</p>
        {numbered && items.length > 0 && (
          <>
            <p className="mt-2">{numbered}</p>
            <ul className="mt-2 flex flex-wrap gap-2">
              {items.map(({ id, label, number, text }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    data-focus
                    aria-label={`${label} ${text}`}
                    className="grid size-11 place-items-center rounded-field border-[1.5px] border-bad font-bold text-bad tabular-nums"
                  >
                    {number}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
        {!numbered && items.length > 0 && (
          <ul className="mt-2">
            {items.map(({ id, label, text }) => (
              <li key={id + text}>
                <a href={`#${id}`} data-focus className="inline-block py-2 leading-[1.35] text-bad">
                  <span>
                    {label && <strong>{`${label} `}</strong>}
                    {text}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
        {children}
      </div>
    </div>
  );
}

export function summaryItems(
  refusal: Refusal | undefined,
  { label, problem, fieldId = (name) => name }: SummaryWords,
  form?: Form,
): SummaryItem[] {
  const errors = refusal?.errors ?? {};
  return (form ? form.map(({ name }) => name) : Object.keys(errors)).flatMap((name, index) => {
    const found = errors[name];
    if (!found) return [];
    const item = { id: fieldId(name), number: index + 1, text: problem(name, found) };
    return label ? { ...item, label: label(name) } : item;
  });
}
