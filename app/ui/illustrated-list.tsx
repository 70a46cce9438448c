import type { ReactNode } from 'react';

import drawings from './drawings.svg?no-inline';

export type Drawing =
  | ('review' | 'words' | 'support' | 'secure' | 'receipt' | 'signpost')
  | ('passport' | 'page' | 'ticket' | 'house' | 'briefcase' | 'contact');

interface IllustratedListProps<Key extends string> {
  items: readonly (readonly [key: Key, drawing: Drawing])[];
  words: (key: Key, part: 'title' | 'text') => ReactNode;
}

export function IllustratedList<Key extends string>({ items, words }: IllustratedListProps<Key>) {
  return (
    <ul className="grid gap-x-12 gap-y-4 sm:grid-cols-2 sm:gap-y-6">
      {items.map(([key, drawing]) => (
        <li key={key} className="grid grid-cols-[3rem_1fr] gap-x-4 sm:grid-cols-[3.5rem_1fr]">
          <svg className="w-full text-action" viewBox="0 0 48 48" aria-hidden="true">
            <use href={`${drawings}#${drawing}`} />
          </svg>
          <div>
            <h3 className="text-base sm:text-lg">{words(key, 'title')}</h3>
            <p className="mt-1 max-w-[36em] text-sm">{words(key, 'text')}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
