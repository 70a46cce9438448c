import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';

import { log } from '~/log.server';

/** Handles all unmatched URLs; the root's error boundary renders the page. */
export function loader({ request }: LoaderFunctionArgs) {
  log('info', 'page not found', { path: new URL(request.url).pathname });
  throw new Response(null, { status: 404 });
}

export function action(args: ActionFunctionArgs) {
  return loader(args);
}

export default function NotFound() {
  return null;
}
