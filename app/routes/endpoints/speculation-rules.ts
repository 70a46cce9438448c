import { json } from '@remix-run/node';

import { NEVER_PREFETCHED } from '~/http/prefetch';
import { isOffline } from '~/mode.server';

/** URLs that are not pages, or where a GET request changes something for the visitor. */
const NOT_PREFETCHED = ['/language*', '/sign-out*', '/timeline/*', '/*\\?*lng=*', '/eligibility/*'];

/**
 * The links a browser may prefetch on hover or touch (html.spec.whatwg.org, speculative loading);
 * `entry.server` refers to this URL in a header of each page.
 */
export function loader() {
  const excluded = isOffline() ? NOT_PREFETCHED : [...NOT_PREFETCHED, ...NEVER_PREFETCHED];
  const rules = {
    prefetch: [
      {
        where: { and: [{ href_matches: '/*' }, { not: { href_matches: excluded } }] },
        eagerness: 'moderate',
      },
    ],
  };
  return json(rules, {
    headers: {
      'Content-Type': 'application/speculationrules+json',
      'Cache-Control': 'public, max-age=86400',
    },
  });
}
