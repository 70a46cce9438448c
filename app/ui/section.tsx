import type { ReactNode } from 'react';

interface SectionProps {
  /** The URL fragment; also links the section to its heading. */
  id: string;
  title: string;
  lead?: string;
  children: ReactNode;
}

/** A section of a page with its heading. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="border-t border-rule py-12 sm:py-16">
      <h2 id={id} className="text-3xl">
        {title}
      </h2>
      {lead && <p className="mt-3 max-w-[66ch] text-lg">{lead}</p>}
      <div className="mt-8">{children}</div>
    </section>
  );
}

/** A grid of short texts with headings. */
export function TextGrid({ items }: { items: { key: string; title: string; text: string }[] }) {
  return (
    <ul className="grid gap-8 sm:grid-cols-2">
      {items.map(({ key, title, text }) => (
        <li key={key}>
          <h3 className="text-lg">{title}</h3>
          <p className="mt-1 max-w-[60ch]">{text}</p>
        </li>
      ))}
    </ul>
  );
}

/** A sequence of steps, drawn as stations of a route. */
export function StationList({
  items,
}: {
  items: { key: string; number: string; title: string; text: string }[];
}) {
  return (
    <ol className="grid gap-x-6 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
      {items.map(({ key, number, title, text }) => (
        <li key={key} className="border-t-4 border-dotted border-pine pt-4">
          <span className="text-2xl font-bold text-pine tabular-nums">{number}</span>
          <h3 className="text-lg">{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}

/** Questions of which one is open at a time. */
export function Accordion({
  name,
  items,
}: {
  name: string;
  items: { key: string; question: string; answer: string }[];
}) {
  return (
    <div className="max-w-3xl border-b border-rule">
      {items.map(({ key, question, answer }) => (
        <details key={key} name={name} id={`${name}-${key}`} className="border-t border-rule">
          <summary className="py-4 text-lg font-semibold">{question}</summary>
          <p className="max-w-[66ch] pb-5">{answer}</p>
        </details>
      ))}
    </div>
  );
}

/** The final section of a page, with calls to action. */
export function ClosingCall({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby="closing" className="my-12 rounded-card bg-pine-soft p-6 sm:p-10">
      <h2 id="closing" className="text-3xl">
        {title}
      </h2>
      <p className="mt-3 max-w-[66ch] text-lg">{text}</p>
      <div className="mt-6 flex flex-wrap gap-3">{children}</div>
    </section>
  );
}
