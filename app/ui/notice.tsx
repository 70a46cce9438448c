import type { ReactNode } from 'react';

import { Icon } from './icon';
import type { IconName } from './icon-names';

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
  titleClass?: string;
  children: ReactNode;
}

export function Notice(props: NoticeProps) {
  const { kind, id, title, icon = ICONS[kind], className, titleClass, children } = props;
  return (
    <section
      aria-labelledby={id}
      className={className ? `say say-${kind} ${className}` : `say say-${kind}`}
    >
      <Icon name={icon} />
      <div className="min-w-0">
        <h2 id={id} className={titleClass ?? 'font-bold'}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}

type DoneProps = { children: ReactNode; className?: string };
export function Done({ children, className = 'mb-6' }: DoneProps) {
  return (
    <p role="status" className={`say say-good ${className} w-fit`}>
      <Icon name="circle-check" />
      {children}
    </p>
  );
}
