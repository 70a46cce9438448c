import { useHydrated } from 'remix-utils/use-hydrated';
import { useEffect, useRef } from 'react';

import type { Form } from '~/domain/form';
import type { Refusal } from '~/http/refusal';
import { Icon } from './icon';

/** An error: the field's id, its label if a page has several fields, and the message. */
interface SummaryItem {
  fieldId: string;
  name?: string;
  text: string;
}

interface ErrorSummaryProps {
  title: string;
  description: string;
  items?: SummaryItem[];
  /**
   * The data the summary belongs to, such as action data; the summary takes the focus when it
   * changes.
   */
  trigger?: unknown;
}

/** The error summary above the heading, with links to the fields. */
export function ErrorSummary({ title, description, items = [], trigger }: ErrorSummaryProps) {
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
      className="card mb-8 flex gap-3 border-2 border-danger bg-danger-soft p-4"
    >
      <Icon name="circle-alert" className="mt-0.5 size-6 text-danger" />
      <div>
        <p className="text-lg font-bold text-danger">{title}</p>
        <p>{description}</p>
        {items.length > 0 && (
          <ul className="mt-2">
            {items.map(({ fieldId, name, text }) => (
              <li key={fieldId}>
                <a href={`#${fieldId}`} data-focus className="inline-block py-0.5 text-danger">
                  {name && <strong>{name} </strong>}
                  {text}
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
  return form.flatMap(({ name }) => {
    const found = refusal?.errors[name];
    if (!found) return [];
    return {
      fieldId: fieldId(name),
      ...(label && { name: label(name) }),
      text: problem(name, found),
    };
  });
}
