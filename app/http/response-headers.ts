import type { HeadersFunction } from '@remix-run/node';

/** `headers` of a page: what an answer says of when to come back is sent with it. */
export const keepRetryAfter: HeadersFunction = ({ loaderHeaders, actionHeaders, errorHeaders }) => {
  const headers = new Headers(errorHeaders);
  const retryAfter = actionHeaders.get('Retry-After') ?? loaderHeaders.get('Retry-After');
  if (retryAfter) headers.set('Retry-After', retryAfter);
  return headers;
};

/** The same of a page that is one visitor's own: no cache keeps it, nor does the back button. */
export const noStore: HeadersFunction = (given) => {
  const headers = new Headers(keepRetryAfter(given));
  headers.set('Cache-Control', 'no-store');
  return headers;
};
