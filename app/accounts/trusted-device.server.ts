import { createHmac, randomBytes } from 'node:crypto';

import { z } from 'zod/v4';

import { signedCookie } from '~/http/cookies.server';
import { keysFor } from '~/http/secret.server';

/** Accounts that somebody has signed in to with this browser, the latest first. */
const MOST_KNOWN = 5;
const YEAR_S = 365 * 24 * 60 * 60;

/** What others try on an account does not hold back a browser that has signed in to it before. */
const knownCookie = signedCookie('known', z.array(z.string()).max(MOST_KNOWN), {
  maxAge: YEAR_S,
  readOn: ['/auth', '/crm/auth'],
});

/** Without the key nobody can tell which account it is. */
function markOf(userId: string): string {
  const [key = ''] = keysFor('known client');
  return createHmac('sha256', key).update(userId).digest('base64url').slice(0, 22);
}

export const trustedDevice = async (
  request: Request,
  userId: string,
): Promise<string | undefined> =>
  (await knownCookie.read(request))?.find((known) => known.startsWith(markOf(userId)));

export async function rememberClient(request: Request, userId: string): Promise<string> {
  const before = (await knownCookie.read(request)) ?? [];
  const mark = markOf(userId);
  const own =
    before.find((known) => known.startsWith(mark)) ?? mark + randomBytes(8).toString('base64url');
  return knownCookie.write([own, ...before.filter((known) => known !== own)].slice(0, MOST_KNOWN));
}
