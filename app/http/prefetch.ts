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

export const isNeverPrefetched = (path: string) =>
  NEVER_PREFETCHED.some((pattern) => path.toLowerCase().startsWith(pattern.slice(0, -1)));
