import { type Cookie, createCookie } from '@remix-run/node';
import { parse } from 'cookie';
import type { z } from 'zod/v4';

import { env } from '~/env.server';
import { sessionSecret } from './secret.server';

/** A signed cookie whose value is validated when read. */
export interface SignedCookie<T> {
  /** The value; undefined if the cookie is missing, forged or does not match the schema. */
  read: (request: Request) => Promise<T | undefined>;
  /** The `Set-Cookie` header that sets the value. */
  write: (content: T) => Promise<string>;
  /** The `Set-Cookie` header that removes the cookie. */
  clear: () => Promise<string>;
}

const registeredNames = new Set<string>();
const fullName = (name: string) => (env().secure ? `__Host-${name}` : name);

/** The names of this site's signed cookies in a `Cookie` header. */
export function signedCookieNames(cookie: string | undefined): string[] {
  const sent = parse(cookie ?? '');
  return [...registeredNames].filter((name) => fullName(name) in sent);
}

/** Creates a signed, HTTP-only, same-site cookie. `maxAge` is in seconds. */
export function signedCookie<T>(
  name: string,
  schema: z.ZodType<T>,
  { maxAge }: { maxAge: number },
): SignedCookie<T> {
  registeredNames.add(name);
  let instance: Cookie | undefined;
  // Created on first use: the environment must not be read while modules load.
  const getCookie = () =>
    (instance ??= createCookie(fullName(name), {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: env().secure,
      secrets: [sessionSecret()],
      maxAge,
    }));
  return {
    async read(request) {
      const content: unknown = await getCookie().parse(request.headers.get('Cookie'));
      // Checked first: most visitors have no cookie, and creating a validation error is slow.
      return content === null ? undefined : schema.safeParse(content).data;
    },
    write: (content) => getCookie().serialize(content),
    clear: () => getCookie().serialize('', { maxAge: 0 }),
  };
}
