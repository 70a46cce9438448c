import { createCookie } from '@remix-run/node';
import { parse, serialize } from 'cookie';
import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { perApp } from '~/current-app.server';
import { cookieAttributes, env } from '~/env.server';
import { isOffline } from '~/mode.server';
import { keysFor } from './secret.server';

type CookieOptions = { maxAge: number; readOn?: readonly string[]; isLive?: true };

const registered = new Map<string, CookieOptions>();
const fullName = (name: string) => (env().secure ? `__Host-${name}` : name);
const secondsNow = () => Math.floor(now().getTime() / 1000);

/** This site's cookies in a `Cookie` header that pages depend on: for each, the pages that read it. */
export function personalCookiesIn(cookie: string | undefined): Pick<CookieOptions, 'readOn'>[] {
  const sent = parse(cookie ?? '');
  return [...registered]
    .filter(([name, { isLive }]) => fullName(name) in sent && !(isLive && isOffline()))
    .map(([, options]) => options);
}

/** Of the live half. Its token means nothing by itself: what it stands for is in the database. */
export function tokenCookie(name: string) {
  registered.set(name, { maxAge: 0, isLive: true });
  /** Without a maximum age in seconds it ends with the browser. */
  const write = (token: string, maxAge?: number) =>
    serialize(fullName(name), token, {
      ...cookieAttributes(),
      ...(maxAge !== undefined && { maxAge }),
    });
  return {
    read: ({ headers }: Request) => parse(headers.get('Cookie') ?? '')[fullName(name)] || undefined,
    write,
    clear: () => write('', 0),
  };
}

/** Signed with purpose, issue and end: a copy may be kept for longer, and under another name. */
export function signedCookie<T>(name: string, schema: z.ZodType<T>, options: CookieOptions) {
  registered.set(name, options);
  const signed = z.object({
    for: z.literal(name),
    issued: z.int(),
    until: z.int(),
    value: schema,
  });
  const getCookie = perApp(() =>
    createCookie(fullName(name), {
      ...cookieAttributes(),
      secrets: keysFor(`cookie ${name}`),
      maxAge: options.maxAge,
    }),
  );
  return {
    async read(request: Request) {
      const content: unknown = await getCookie().parse(request.headers.get('Cookie'));
      // Checked first: most visitors have no cookie, and creating a validation error is slow.
      if (content === null) return undefined;
      const { data } = signed.safeParse(content);
      const seconds = secondsNow();
      return data && data.issued <= seconds && seconds < data.until ? data.value : undefined;
    },
    write(value: T) {
      const issued = secondsNow();
      return getCookie().serialize({ for: name, issued, until: issued + options.maxAge, value });
    },
    clear: () => getCookie().serialize('', { maxAge: 0 }),
  };
}

export const settingCookies = (cookies: readonly string[]) =>
  new Headers(cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]));
