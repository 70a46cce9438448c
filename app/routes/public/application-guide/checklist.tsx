import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { keep, readKept } from '~/ui/browser-storage';

interface ChecklistProps {
  /** Names the list on this device, in every language. */
  name: string;
  items: string[];
  /** The language of the items. */
  language: string;
}

/**
 * What to check off. The ticks stay in this browser, nothing is sent; where it keeps nothing, or
 * without a script, they last as long as the page.
 */
export function Checklist({ name, items, language }: ChecklistProps) {
  const { t } = useTranslation('guide');
  const hydrated = useHydrated();
  const list = useRef<HTMLUListElement>(null);
  const [done, setDone] = useState(0);

  useEffect(() => {
    const boxes = boxesOf(list.current);
    const kept = read(name);
    // Ticks from before the script came are kept too.
    boxes.forEach((box, index) => (box.checked ||= kept.includes(index)));
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
      <ul ref={list} lang={language} className="grid gap-1">
        {items.map((item) => (
          <li key={item}>
            <label className="flex max-w-[66ch] cursor-pointer gap-3 py-2">
              <input
                type="checkbox"
                onChange={onChange}
                className="mt-1 size-5 shrink-0 accent-pine"
              />
              {item}
            </label>
          </li>
        ))}
      </ul>
      <p className={`mt-2 text-base text-muted print:hidden ${hydrated ? '' : 'invisible'}`}>
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

/** Which items are ticked on this device, by their place in the list. */
function read(name: string): number[] {
  const kept = readKept('localStorage', storageKey(name));
  return Array.isArray(kept) ? kept.filter((index) => typeof index === 'number') : [];
}
