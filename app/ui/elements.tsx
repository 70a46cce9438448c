import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';

import { Icon } from './icon';
import type { IconName } from './icon-names';

interface Words {
  words: ReactNode;
  before?: IconName | undefined;
  after?: IconName | undefined;
}

type LinkProps = Words & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'children'>;

/** A link that stands by itself, large enough for a finger. */
export function TextLink({ words, before, after, className = '', ...link }: LinkProps) {
  return (
    <a {...link} className={`inline-flex min-h-11 items-center ${className}`.trimEnd()}>
      {inside({ words, before, after })}
    </a>
  );
}

/** The same as a paragraph. */
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

interface PartProps {
  as?: 'section' | 'nav';
  id: string;
  title: ReactNode;
  /** The classes of its heading. */
  size?: string;
  /** An address leads to it. */
  isGoal?: boolean | undefined;
  className?: string;
  children: ReactNode;
}

/** A part of a page under its heading. */
export function Part(props: PartProps) {
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
