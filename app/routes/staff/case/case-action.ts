import { useLocation } from '@remix-run/react';

/** Gives the address of the case that is shown, with the reason for which it was opened. */
export function useCaseAction(): (parameters?: Readonly<Record<string, string>>) => string {
  const { pathname, search } = useLocation();
  const reason = new URLSearchParams(search).get('reason');
  return (parameters = {}) => {
    const query = new URLSearchParams({ ...(reason && { reason }), ...parameters });
    return query.size > 0 ? `${pathname}?${query}` : pathname;
  };
}
