import type { LoaderFunctionArgs } from '@remix-run/node';

import type { PageHandle } from '~/live.server';
import { tooManyRequests } from '~/http/form.server';

export const handle: PageHandle = { fromMemory: { parameters: ['wait'] } };

/** Rendered by the server in place of a page above the rate limit. */
export function loader({ request }: LoaderFunctionArgs) {
  const wait = Number(new URL(request.url).searchParams.get('wait')) || 60;
  throw new Response(null, tooManyRequests(Math.ceil(Math.min(Math.max(wait, 1), 600))));
}

export default function TooManyRequests() {
  return null;
}
