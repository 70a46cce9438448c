import { useHydrated } from 'remix-utils/use-hydrated';
import { useEffect, useRef } from 'react';

import type { Form } from '~/domain/form';
import type { Refusal } from '~/http/refusal';
import { Icon } from './icon';

/** What is to be mended: the id of the field, its name if a page has several, and the matter. */
interface SummaryItem {
  fieldId: string;
  name?: string;
  text: string;
}

interface ErrorSummaryProps {
  title: string;
  description: string;
  items?: SummaryItem[];
  /** What the summary is about, such as an action's data: with a new one it takes the focus. */
  occasion?: unknown;
}

/** What kept a form from being accepted, above the heading, with a way to each field. */
export function ErrorSummary({ title, description, items = [], occasion }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  useEffect(() => {
    if (hydrated) box.current?.focus();
  }, [hydrated, occasion]);
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

/** What a form's summary says of its fields. */
interface SummaryWords {
  /** Names a field before what is wrong with it; left out where a form has only one. */
  label?: (name: string) => string;
  problem: (name: string, problem: string) => string;
  /** Where a field begins, if that is not the control of its name. */
  fieldId?: (name: string) => string;
}

/** The fields of a form that were refused, in its order. */
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
