import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';

import { log } from '~/log.server';

/** Handles all unmatched URLs; the root's error boundary renders the page. */
export function loader({ request }: LoaderFunctionArgs) {
  log('info', 'page not found', { path: publicPart(new URL(request.url).pathname) });
  throw new Response(null, { status: 404 });
}

const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** A path without the id of a result, by which whoever has it could open the page. */
function publicPart(path: string): string {
  // The server refuses what cannot be decoded.
  return decodeURIComponent(path)
    .replace(/^(\/+eligibility\/).*$/is, '$1…')
    .replaceAll(ID, '…');
}

export function action(args: ActionFunctionArgs) {
  return loader(args);
}

export default function NotFound() {
  return null;
}
