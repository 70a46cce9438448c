import { useHydrated } from 'remix-utils/use-hydrated';
import { useEffect, useRef } from 'react';

import { Icon } from './icon';

interface ErrorSummaryProps {
  title: string;
  description: string;
  /** What is to be mended, each with the id of its field. */
  items?: { fieldId: string; text: string }[];
}

/** What kept a form from being accepted, above the heading, with a way to each field. */
export function ErrorSummary({ title, description, items = [] }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  useEffect(() => {
    if (hydrated) box.current?.focus();
  }, [hydrated, description, items.length]);
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
          <ul className="mt-2 list-disc pl-5">
            {items.map(({ fieldId, text }) => (
              <li key={fieldId}>
                <a href={`#${fieldId}`} className="inline-block py-1 text-danger">
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
