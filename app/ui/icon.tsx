import type { IconName } from './icon-names';
import sprite from './icons.svg?no-inline';

/** A decorative glyph in the colour of the text; what it means stands in words beside it. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg className={`shrink-0 ${className}`} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
