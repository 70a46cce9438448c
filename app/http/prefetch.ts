/**
 * The addresses that no browser may fetch before somebody goes there, in the live half: what is looked
 * at is remembered, and a page fetched ahead would be remembered as looked at (live-mode.md, the
 * application). The guide, `/application-guide`, is everybody's.
 */
export const NEVER_PREFETCHED = [
  '/application/*',
  '/application-status*',
  '/auth*',
  '/crm*',
  '/demo/*',
  '/outbox*',
  '/reminders*',
  '/withdrawal*',
];

const PATTERN =
  /^\/(application\/|application-status|auth|crm|demo\/|outbox|reminders|withdrawal)/i;

export function isNeverPrefetched(path: string): boolean {
  return PATTERN.test(path);
}
