import type { ReactNode } from 'react';

import { Icon } from './icon';

interface SectionProps {
  id: string;
  title: string;
  lead?: string;
  tone?: 'sand' | 'sea';
  children: ReactNode;
}

const TONES = {
  sand: 'bg-sand [--ground:var(--color-sand)]',
  sea: 'bg-sea [--ground:var(--color-sea)]',
};

export function Section({ id, title, lead, tone, children }: SectionProps) {
  return (
    <section
      aria-labelledby={id}
      className={`py-(--band) ${tone ? TONES[tone] : 'plain [.plain+&]:pt-0'}`}
    >
      <div className="wrap">
        <h2 id={id} className="max-w-[44rem] text-2xl">
          {title}
        </h2>
        {lead && <p className="lead mt-2 sm:mt-3">{lead}</p>}
        <div className="mt-4 sm:mt-8">{children}</div>
      </div>
    </section>
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
        <details key={key} name={name} id={`${name}-${key}`} className="fold">
          <summary>
            {question}
            <Icon name="chevron-down" />
          </summary>
          <p className="max-w-[40em] pb-5">{answer}</p>
        </details>
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
