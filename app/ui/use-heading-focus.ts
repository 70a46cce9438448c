import { useEffect, useRef } from 'react';

/** As a page load would. Does nothing on the first render. */
export function useHeadingFocus(location: string, selector = 'main h1'): void {
  const last = useRef(location);
  useEffect(() => {
    if (last.current === location) return;
    last.current = location;
    document.querySelector<HTMLElement>(selector)?.focus();
  }, [location, selector]);
}
