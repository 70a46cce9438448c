import type { ReactNode } from 'react';

import { Fold, Icon, Section } from './elements';

// What only pages have that load no React: with "elements", all others would load it.

type DoneProps = { children: ReactNode; className?: string };
export function Done({ children, className = 'mb-6' }: DoneProps) {
  return (
    <p
      role="status"
      tabIndex={-1}
      // Nothing else brings the reader here.
      autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
      className={`say say-good ${className} w-fit`}
    >
      <Icon name="circle-check" />
      {children}
    </p>
  );
}

interface StationListProps {
  items: { key: string; number: string; title: string; text: string }[];
  brief?: boolean;
}

export function StationList({ items, brief = false }: StationListProps) {
  return (
    <ol className="route route-steps route-across">
      {items.map(({ key, number, title, text }) => (
        <li key={key} data-step={number}>
          <h3 className="text-lg">{title}</h3>
          <p className={`mt-1 text-sm text-muted ${brief ? 'max-sm:hidden' : ''}`}>{text}</p>
        </li>
      ))}
    </ol>
  );
}

type AccordionProps = { name: string; items: { key: string; question: string; answer: string }[] };
export function Accordion({ name, items }: AccordionProps) {
  return (
    <div className="max-w-[46rem] border-t border-rule">
      {items.map(({ key, question, answer }) => (
        <Fold key={key} name={name} id={`${name}-${key}`} title={question}>
          <p className="max-w-[40em] pb-5">{answer}</p>
        </Fold>
      ))}
    </div>
  );
}

type ClosingCallProps = { title: string; text: string; children: ReactNode };
export function ClosingCall({ title, text, children }: ClosingCallProps) {
  return (
    <Section id="closing" title={title} lead={text} tone="sea">
      <div className="flex flex-wrap items-start gap-3">{children}</div>
    </Section>
  );
}
