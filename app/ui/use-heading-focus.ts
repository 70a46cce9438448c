import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the main heading when `place` changes in a running page, as a page load would
 * bring the reader there. The first place of a page is left alone.
 */
export function useHeadingFocus(place: string): void {
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    document.querySelector<HTMLElement>('main h1')?.focus();
  }, [place]);
}
