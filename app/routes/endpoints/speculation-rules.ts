import { json } from '@remix-run/node';

/** Addresses that are no page, or whose mere reading changes something for the visitor. */
const NOT_AHEAD = ['/language*', '/sign-out*', '/timeline/*', '/*\\?*lng=*', '/eligibility/*'];

/**
 * Which links a browser may follow ahead, when a pointer rests on them or a finger touches them
 * (html.spec.whatwg.org, speculative loading); `entry.server` names this address on each page.
 */
export function loader() {
  const rules = {
    prefetch: [
      {
        where: { and: [{ href_matches: '/*' }, { not: { href_matches: NOT_AHEAD } }] },
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
