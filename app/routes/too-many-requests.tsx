import type { LoaderFunctionArgs } from '@remix-run/node';

import { retryAfter } from '~/http/rate-limit.server';

/** Where the server leads who asks for too many pages; the error page says how to go on. */
export function loader({ request }: LoaderFunctionArgs) {
  const wait = Number(new URL(request.url).searchParams.get('wait')) || 60;
  throw new Response(null, retryAfter(Math.min(wait, 600)));
}

export default function TooManyRequests() {
  return null;
}
