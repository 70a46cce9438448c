import { Link } from '@remix-run/react';

import { Icon } from './icon';
import type { IconName } from './icon-names';

/** A page that the router goes to by itself (`to`), or an address that is loaded (`href`). */
type Goal = { to: string; href?: never } | { to?: never; href: string };

type JumpProps = Goal & {
  icon: IconName;
  title: string;
  text?: string;
  className?: string;
  isNewTab?: boolean;
};

const CARD =
  'card grid min-h-18 grid-cols-[auto_1fr_auto] items-center gap-x-4 gap-y-1 p-4 leading-[1.35] text-ink no-underline hover:border-action';

export function Jump({ to, href, icon, title, text, className = '', isNewTab }: JumpProps) {
  const content = (
    <>
      <Icon name={icon} className="text-action" />
      <span>
        <strong className="block underline decoration-1 underline-offset-[0.2em]">{title}</strong>
        {text && <span className="text-sm text-muted">{text}</span>}
      </span>
      <Icon name="arrow-right" className="text-action" />
    </>
  );
  const look = `${CARD} ${className}`;
  return to ? (
    <Link to={to} className={look}>
      {content}
    </Link>
  ) : (
    <a href={href} rel="noreferrer" target={isNewTab ? '_blank' : undefined} className={look}>
      {content}
    </a>
  );
}

const COLUMNS = { 2: 'max-w-[60rem] sm:grid-cols-2', 3: 'md:grid-cols-3' };

interface JumpsProps {
  jumps: (Omit<JumpProps, 'to' | 'className' | 'isNewTab'> & { href: string })[];
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
