import { type Cookie, createCookie } from '@remix-run/node';
import { parse } from 'cookie';
import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { env } from '~/env.server';
import { keysFor } from './secret.server';

/** A signed cookie whose value is validated when read. */
export interface SignedCookie<T> {
  /** The value; undefined if the cookie is missing, forged, expired or does not match the schema. */
  read: (request: Request) => Promise<T | undefined>;
  /** The `Set-Cookie` header that sets the value. */
  write: (content: T) => Promise<string>;
  /** The `Set-Cookie` header that removes the cookie. */
  clear: () => Promise<string>;
}

interface CookieOptions {
  /** In seconds; what is older is not read, whatever the browser has kept. */
  maxAge: number;
  /** The paths of the pages that read the cookie; without, any page may. */
  readOn?: readonly string[];
}

const registered = new Map<string, CookieOptions>();
const fullName = (name: string) => (env().secure ? `__Host-${name}` : name);
const secondsNow = () => Math.floor(now().getTime() / 1000);

/** This site's signed cookies in a `Cookie` header: for each, the pages that read it. */
export function signedCookiesIn(cookie: string | undefined): Pick<CookieOptions, 'readOn'>[] {
  const sent = parse(cookie ?? '');
  return [...registered].filter(([name]) => fullName(name) in sent).map(([, options]) => options);
}

/**
 * Creates a signed, HTTP-only, same-site cookie. Its purpose, its time of issue and its end are
 * signed with the value: a browser, or who copies a cookie, may keep it for longer, and under
 * another name.
 */
export function signedCookie<T>(
  name: string,
  schema: z.ZodType<T>,
  options: CookieOptions,
): SignedCookie<T> {
  registered.set(name, options);
  const signed = z.object({
    for: z.literal(name),
    /** Both in seconds since 1970. */
    issued: z.int(),
    until: z.int(),
    value: schema,
  });
  let instance: Cookie | undefined;
  // Created on first use: the environment must not be read while modules load.
  const getCookie = () =>
    (instance ??= createCookie(fullName(name), {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: env().secure,
      secrets: keysFor(`cookie ${name}`),
      maxAge: options.maxAge,
    }));
  return {
    async read(request) {
      const content: unknown = await getCookie().parse(request.headers.get('Cookie'));
      // Checked first: most visitors have no cookie, and creating a validation error is slow.
      if (content === null) return undefined;
      const { data } = signed.safeParse(content);
      const seconds = secondsNow();
      return data && data.issued <= seconds && seconds < data.until ? data.value : undefined;
    },
    write: (value) => {
      const issued = secondsNow();
      return getCookie().serialize({ for: name, issued, until: issued + options.maxAge, value });
    },
    clear: () => getCookie().serialize('', { maxAge: 0 }),
  };
}
