import { createContext, useContext } from 'react';

const RequestIdContext = createContext<string | undefined>(undefined);
export const RequestIdProvider = RequestIdContext.Provider;

export const REQUEST_ID_ELEMENT = 'request-id';

/** The id of the request that the page answers; undefined for a page that the browser has made. */
export function useRequestId(): string | undefined {
  const id = useContext(RequestIdContext);
  if (typeof document === 'undefined') return id;
  return document.getElementById(REQUEST_ID_ELEMENT)?.textContent ?? undefined;
}
