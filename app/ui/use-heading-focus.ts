import { useEffect, useRef } from 'react';

/**
 * Moves the focus to a heading, the main one unless `selector` says another, when `place` changes in
 * a running page, as a page load would bring the reader there. The first place of a page is left
 * alone.
 */
export function useHeadingFocus(place: string, selector = 'main h1'): void {
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    document.querySelector<HTMLElement>(selector)?.focus();
  }, [place, selector]);
}
