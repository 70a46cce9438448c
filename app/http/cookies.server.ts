import { type Cookie, createCookie } from '@remix-run/node';
import { parse } from 'cookie';
import type { z } from 'zod/v4';

import { env } from '~/env.server';
import { sessionSecret } from './secret.server';

/** A signed cookie whose content is checked on the way in. */
export interface SignedCookie<T> {
  /** The content; undefined if there is none, or it is forged, or of another shape. */
  read: (request: Request) => Promise<T | undefined>;
  /** A `Set-Cookie` header with the content. */
  write: (content: T) => Promise<string>;
  /** A `Set-Cookie` header that removes the cookie. */
  clear: () => Promise<string>;
}

const names = new Set<string>();
const fullName = (name: string) => (env().secure ? `__Host-${name}` : name);

/** The names of this site's signed cookies that a visitor carries. */
export function signedCookiesIn(cookie: string | undefined): string[] {
  const carried = parse(cookie ?? '');
  return [...names].filter((name) => fullName(name) in carried);
}

/** A cookie that only this server reads, signed, and sent on requests from this site alone. */
export function signedCookie<T>(
  name: string,
  schema: z.ZodType<T>,
  { maxAge }: { maxAge: number },
): SignedCookie<T> {
  names.add(name);
  let made: Cookie | undefined;
  // Made on first use: the environment is not read while modules load.
  const cookie = () =>
    (made ??= createCookie(fullName(name), {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: env().secure,
      secrets: [sessionSecret()],
      maxAge,
    }));
  return {
    async read(request) {
      const content: unknown = await cookie().parse(request.headers.get('Cookie'));
      // Most visitors carry none, and an error takes long to make.
      return content === null ? undefined : schema.safeParse(content).data;
    },
    write: (content) => cookie().serialize(content),
    clear: () => cookie().serialize('', { maxAge: 0 }),
  };
}
