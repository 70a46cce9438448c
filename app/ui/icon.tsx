import type { IconName } from './icon-names';
import sprite from './icons.svg?no-inline';

/** A decorative icon in the text colour; its meaning is always in the text next to it. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={className ? `icon ${className}` : 'icon'} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
