import type { HeadersFunction } from '@remix-run/node';

/** `headers` of a page that is one visitor's own: no cache keeps it, nor does the back button. */
export const noStore: HeadersFunction = ({ loaderHeaders, actionHeaders }) => {
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  const retryAfter = actionHeaders.get('Retry-After') ?? loaderHeaders.get('Retry-After');
  if (retryAfter) headers.set('Retry-After', retryAfter);
  return headers;
};
