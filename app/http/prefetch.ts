/** A page fetched ahead would be remembered as looked at (live-mode.md, the application). */
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
