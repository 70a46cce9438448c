import { useHydrated } from 'remix-utils/use-hydrated';
import { useEffect, useRef } from 'react';

import type { Form } from '~/domain/form';
import type { Refusal } from '~/http/refusal';
import { Icon } from './icon';

/** An error: the field's id, its label if a page has several fields, and the message. */
export interface SummaryItem {
  fieldId: string;
  name?: string;
  /** Its place in the form, from 1. */
  number: number;
  text: string;
}

interface ErrorSummaryProps {
  title: string;
  description: string;
  items?: SummaryItem[];
  /** For a form of many questions: this sentence, and the fields as numbers in a row. */
  numbered?: string | undefined;
  /**
   * The data the summary belongs to, such as action data; the summary takes the focus when it
   * changes.
   */
  trigger?: unknown;
}

/** The error summary above the heading, with links to the fields. */
export function ErrorSummary({
  title,
  description,
  items = [],
  numbered,
  trigger,
}: ErrorSummaryProps) {
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
      <div>
        <p className="text-lg font-bold text-bad">{title}</p>
        <p>{description}</p>
        {numbered && items.length > 0 && (
          <>
            <p className="mt-2">{numbered}</p>
            <ul className="error-numbers">
              {items.map(({ fieldId, name, number, text }) => (
                <li key={fieldId}>
                  <a href={`#${fieldId}`} data-focus aria-label={`${name} ${text}`}>
                    {number}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
        {!numbered && items.length > 0 && (
          <ul className="mt-2">
            {items.map(({ fieldId, name, text }) => (
              <li key={fieldId}>
                <a
                  href={`#${fieldId}`}
                  data-focus
                  className="inline-flex min-h-11 items-center text-bad"
                >
                  <span>
                    {name && <strong>{`${name} `}</strong>}
                    {text}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The texts of an error summary. */
interface SummaryWords {
  /** The label of a field; omitted if a form has only one. */
  label?: (name: string) => string;
  problem: (name: string, problem: string) => string;
  /** The id of a field's first control, if it is not the field's name. */
  fieldId?: (name: string) => string;
}

/** The fields with errors, in the order of the form. */
export function summaryItems(
  form: Form,
  refusal: Refusal | undefined,
  { label, problem, fieldId = (name) => name }: SummaryWords,
): SummaryItem[] {
  return form.flatMap(({ name }, index) => {
    const found = refusal?.errors[name];
    if (!found) return [];
    return {
      fieldId: fieldId(name),
      number: index + 1,
      ...(label && { name: label(name) }),
      text: problem(name, found),
    };
  });
}
