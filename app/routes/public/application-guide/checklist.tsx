import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { keep, readKept } from '~/ui/browser-storage';

interface ChecklistProps {
  /** The key of the list in local storage, the same in every language. */
  name: string;
  items: string[];
  /** The language of the items. */
  language: string;
}

/**
 * A checklist. The ticks are stored in this browser only; without storage or JavaScript they last
 * until the page is left.
 */
export function Checklist({ name, items, language }: ChecklistProps) {
  const { t } = useTranslation('guide');
  const hydrated = useHydrated();
  const list = useRef<HTMLUListElement>(null);
  const [done, setDone] = useState(0);

  useEffect(() => {
    const boxes = boxesOf(list.current);
    const stored = read(name);
    // Keeps ticks set before hydration.
    boxes.forEach((box, index) => (box.checked ||= stored.includes(index)));
    setDone(boxes.filter((box) => box.checked).length);
  }, [name]);

  function onChange() {
    const boxes = boxesOf(list.current);
    const ticked = boxes.flatMap((box, index) => (box.checked ? index : []));
    setDone(ticked.length);
    keep('localStorage', storageKey(name), ticked);
  }

  return (
    <>
      <ul ref={list} lang={language} className="card max-w-[44rem] px-4 py-1">
        {items.map((item) => (
          <li key={item} className="border-t border-rule first:border-t-0">
            <label className="flex min-h-11 gap-3 py-2.5 leading-normal">
              <input
                type="checkbox"
                onChange={onChange}
                className="mt-0.5 size-5 shrink-0 accent-action"
              />
              {item}
            </label>
          </li>
        ))}
      </ul>
      <p className={`mt-2 text-sm text-muted print:hidden ${hydrated ? '' : 'invisible'}`}>
        <span role="status" className="font-semibold">
          {t('checklist.done', { done, total: items.length })}
        </span>{' '}
        {t('checklist.kept')}
      </p>
    </>
  );
}

function boxesOf(list: HTMLUListElement | null): HTMLInputElement[] {
  return [...(list?.querySelectorAll('input') ?? [])];
}

const storageKey = (name: string) => `guide-checklist:${name}`;

/** The indexes of the ticked items in local storage. */
function read(name: string): number[] {
  const kept = readKept('localStorage', storageKey(name));
  return Array.isArray(kept) ? kept.filter((index) => typeof index === 'number') : [];
}
