import { localPath } from '~/http/local-path';

/** Where travellers who have signed in go unless they were on the way to somewhere else. */
export const OWN_PAGE = '/application-status';

/** Longer ones would be refused as addresses. */
const LONGEST = 1000;

/** Where to go after the sign-in: an untrusted address if it is a path on this site. */
export function returnToOf(input: unknown, fallback = OWN_PAGE): string {
  const path = localPath(input, fallback);
  return path.length > LONGEST ? fallback : path;
}

/** The address of a page on the way to the sign-in, which knows where to go afterwards. */
export function withReturnTo(address: string, returnTo: string): string {
  return returnTo === OWN_PAGE ? address : `${address}?${new URLSearchParams({ returnTo })}`;
}

/** Where a form leads back to, as its page keeps it. */
export const keptReturnTo = (sent: FormData) => ({ returnTo: returnToOf(sent.get('returnTo')) });
