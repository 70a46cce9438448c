import type { HeadersFunction } from '@remix-run/node';

/** The `headers` export of a page that forwards `Retry-After` from its loader or action. */
export const forwardRetryAfter: HeadersFunction = ({
  loaderHeaders,
  actionHeaders,
  errorHeaders,
}) => {
  const headers = new Headers(errorHeaders);
  const retryAfter = actionHeaders.get('Retry-After') ?? loaderHeaders.get('Retry-After');
  if (retryAfter) headers.set('Retry-After', retryAfter);
  return headers;
};

/** The same for a personal page: neither a cache nor the back button may keep it. */
export const noStore: HeadersFunction = (args) => {
  const headers = new Headers(forwardRetryAfter(args));
  headers.set('Cache-Control', 'no-store');
  return headers;
};
