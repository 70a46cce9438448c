import { localPath } from '~/http/local-path';

/** Where travellers who have signed in go unless they were on the way to somewhere else. */
export const OWN_PAGE = '/application-status';

const LONGEST = 1000;

export function returnToOf(input: unknown, fallback = OWN_PAGE): string {
  const path = localPath(input, fallback);
  return path.length > LONGEST ? fallback : path;
}

export const withReturnTo = (address: string, returnTo: string): string =>
  returnTo === OWN_PAGE ? address : `${address}?${new URLSearchParams({ returnTo })}`;

export const keptReturnTo = (sent: FormData) => ({ returnTo: returnToOf(sent.get('returnTo')) });
