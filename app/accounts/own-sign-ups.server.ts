import { randomBytes } from 'node:crypto';

import { z } from 'zod/v4';

import { TOKEN_LIFETIMES } from '~/domain/accounts';
import { signedCookie } from '~/http/cookies.server';

/** Sign-ups that somebody has sent from this browser, the latest first: more are of no use to anybody. */
const MOST_KEPT = 4;

/** What shows that a link is opened in the browser that its very sign-up was sent from. */
const ownCookie = signedCookie('sign-up', z.array(z.string()).max(MOST_KEPT), {
  // As long as the links.
  maxAge: TOKEN_LIFETIMES.verifyEmail,
  readOn: ['/auth/verify', '/auth/sign-up'],
});

/** A name for a sign-up that nobody can guess. */
export function newSignUpId(): string {
  return randomBytes(16).toString('base64url');
}

/** Whether a sign-up was sent from the browser of a request. */
export async function isOwnSignUp(request: Request, id: string | undefined): Promise<boolean> {
  return id !== undefined && ((await ownCookie.read(request))?.includes(id) ?? false);
}

/** The `Set-Cookie` header that remembers a sign-up, whatever has become of it. */
export async function rememberSignUp(request: Request, id: string): Promise<string> {
  const others = (await ownCookie.read(request)) ?? [];
  return ownCookie.write([id, ...others].slice(0, MOST_KEPT));
}
