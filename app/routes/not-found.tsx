import type { LoaderFunctionArgs } from '@remix-run/node';

import { pageNotFound } from '~/live.server';

/** All unmatched addresses; the layout's error boundary renders the page. */
export function loader({ request }: LoaderFunctionArgs) {
  throw pageNotFound(new URL(request.url).pathname);
}

export const action = (args: LoaderFunctionArgs) => loader(args);

export default function NotFound() {
  return null;
}
