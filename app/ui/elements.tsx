import type {
  AnchorHTMLAttributes,
  ButtonHTMLAttributes,
  DetailsHTMLAttributes,
  HTMLAttributes,
  ReactNode,
} from 'react';

import type { IconName } from './icon-names';
import sprite from './icons.svg?no-inline';

/** A decorative icon in the text colour; its meaning is always in the text next to it. */
export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
  return (
    <svg className={className ? `icon ${className}` : 'icon'} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

type Words = { words: ReactNode; before?: IconName | undefined; after?: IconName | undefined };

type LinkProps = Words & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'children'>;

/** A link that stands by itself, large enough for a finger. */
export function TextLink({ words, before, after, className = '', ...link }: LinkProps) {
  return (
    <a {...link} className={`inline-flex min-h-11 items-center ${className}`.trimEnd()}>
      {inside({ words, before, after })}
    </a>
  );
}

export function LinkLine({ className, ...link }: LinkProps) {
  return (
    <p className={className}>
      <TextLink {...link} />
    </p>
  );
}

export function ButtonLink({ words, before, after, look = '', ...link }: LinkProps & Look) {
  return (
    <a {...link} className={`button ${look}`.trimEnd()}>
      {inside({ words, before, after })}
    </a>
  );
}

/** Classes beside `button`. */
type Look = { look?: string };
type SubmitProps = Words & Look & ButtonHTMLAttributes<HTMLButtonElement> & { intent?: string };

/** Sends its form; `intent` says what for, where a form has several. */
export function Submit({ words, before, after, look = '', intent, ...button }: SubmitProps) {
  const named = intent !== undefined && { name: 'intent', value: intent };
  return (
    <button type="submit" className={`button ${look}`.trimEnd()} {...named} {...button}>
      {inside({ words, before, after })}
    </button>
  );
}

function inside({ words, before, after }: Words) {
  return (
    <>
      {before && <Icon name={before} />}
      {words}
      {after && <Icon name={after} />}
    </>
  );
}

/** Fields of a form that nobody sees; undefined: none. */
export const Hidden = (fields: Record<string, string | number | undefined>) =>
  Object.entries(fields).map(
    ([name, value]) =>
      value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
  );

export function Part(props: {
  as?: 'section' | 'nav';
  id: string;
  title: ReactNode;
  size?: string;
  isGoal?: boolean | undefined;
  className?: string;
  children: ReactNode;
}) {
  const { as: Element = 'section', id, title, size = 'text-xl', isGoal, ...more } = props;
  return (
    <Element aria-labelledby={id} className={more.className}>
      <h2 id={id} tabIndex={isGoal ? -1 : undefined} className={size}>
        {title}
      </h2>
      {more.children}
    </Element>
  );
}

export function PageHeading({ title, lead }: { title: string; lead?: string | undefined }) {
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        {title}
      </h1>
      {lead && <p className="lead mt-3">{lead}</p>}
    </>
  );
}

type JumpProps = {
  href: string;
  icon: IconName;
  title: string;
  text?: string;
  className?: string;
  isNewTab?: boolean;
};

const CARD =
  'card grid min-h-18 grid-cols-[auto_1fr_auto] items-start gap-x-4 gap-y-1 p-4 leading-[1.35] text-ink no-underline hover:border-action';

export function Jump({ href, icon, title, text, className = '', isNewTab }: JumpProps) {
  return (
    <a
      href={href}
      rel="noreferrer"
      target={isNewTab ? '_blank' : undefined}
      className={`${CARD} ${className}`}
    >
      <Icon name={icon} className="text-action" />
      <span>
        <strong className="block underline decoration-1 underline-offset-[0.2em]">{title}</strong>
        {text && <span className="text-sm text-muted">{text}</span>}
      </span>
      <Icon name="arrow-right" className="text-action" />
    </a>
  );
}

const COLUMNS = { 2: 'sm:grid-cols-2', 3: 'md:grid-cols-3' };

interface JumpsProps {
  jumps: Omit<JumpProps, 'className' | 'isNewTab'>[];
  columns: keyof typeof COLUMNS;
  className?: string;
  isNewTab?: boolean;
}

export function Jumps({ jumps, columns, className = '', isNewTab = false }: JumpsProps) {
  return (
    <ul className={`grid gap-4 ${COLUMNS[columns]} ${className}`}>
      {jumps.map((jump) => (
        <li key={jump.title} className="grid">
          <Jump {...jump} isNewTab={isNewTab} />
        </li>
      ))}
    </ul>
  );
}

const ICONS = {
  bad: 'circle-alert',
  look: 'triangle-alert',
  good: 'circle-check',
} as const satisfies Record<string, IconName>;

interface NoticeProps {
  /** `bad`: it stops somebody; `look`: it should be looked at; `good`: it is done. */
  kind: keyof typeof ICONS;
  id: string;
  title: string;
  icon?: IconName;
  className?: string;
  children: ReactNode;
}

export function Notice(props: NoticeProps) {
  const { kind, id, title, icon = ICONS[kind], className = '', children } = props;
  return (
    <section aria-labelledby={id} className={`say say-${kind} ${className}`.trimEnd()}>
      <Icon name={icon} />
      <div className="min-w-0">
        <h2 id={id} className="font-bold">
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}

interface SayProps extends HTMLAttributes<HTMLDivElement> {
  icon: IconName;
  size?: string;
  heading?: string;
  words?: ReactNode;
}

export function Say(props: SayProps) {
  const { icon, size, heading, className = '', words, children, ...more } = props;
  return (
    <div {...more} className={`say ${className}`.trimEnd()}>
      <Icon name={icon} className={size} />
      <div className="min-w-0">
        {heading && <p className="font-bold">{heading}</p>}
        {words ?? children}
      </div>
    </div>
  );
}

type FoldProps = Omit<DetailsHTMLAttributes<HTMLDetailsElement>, 'title'> & {
  title: ReactNode;
  label?: string | undefined;
};

export function Fold({ title, label, className = '', children, ...details }: FoldProps) {
  return (
    <details {...details} className={`fold ${className}`.trimEnd()}>
      <summary aria-label={label}>
        {title}
        <Icon name="chevron-down" />
      </summary>
      {children}
    </details>
  );
}

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
