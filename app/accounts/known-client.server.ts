import { createHmac, randomBytes } from 'node:crypto';

import { z } from 'zod/v4';

import { signedCookie } from '~/http/cookies.server';
import { keysFor } from '~/http/secret.server';

/** Accounts that somebody has signed in to with this browser, the latest first. */
const MOST_KNOWN = 5;
const YEAR_S = 365 * 24 * 60 * 60;

/**
 * What lets a browser prove that it has signed in to an account before, so that what others try on the
 * account does not hold it back, and its sign-in is nothing to send a notice about.
 */
const knownCookie = signedCookie('known', z.array(z.string()).max(MOST_KNOWN), {
  maxAge: YEAR_S,
  readOn: ['/auth', '/crm/auth'],
});

/** An account as the cookie names it; without the key nobody can tell which. */
function markOf(userId: string): string {
  const [key = ''] = keysFor('known client');
  return createHmac('sha256', key).update(userId).digest('base64url').slice(0, 22);
}

/**
 * What the browser of a request is known by to an account that it has signed in to before: the
 * account's mark and what tells this browser from the others. undefined if it has not.
 */
export async function knownMark(request: Request, userId: string): Promise<string | undefined> {
  return (await knownCookie.read(request))?.find((known) => known.startsWith(markOf(userId)));
}

/** The `Set-Cookie` header that remembers it. */
export async function rememberClient(request: Request, userId: string): Promise<string> {
  const before = (await knownCookie.read(request)) ?? [];
  const mark = markOf(userId);
  // The same as before: its tries go on being counted.
  const own =
    before.find((known) => known.startsWith(mark)) ?? mark + randomBytes(8).toString('base64url');
  const others = before.filter((known) => known !== own);
  return knownCookie.write([own, ...others].slice(0, MOST_KNOWN));
}
