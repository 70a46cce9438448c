import { createHmac, hkdfSync } from 'node:crypto';

interface Times {
  /** In seconds since 1970. */
  issued?: number;
  until?: number;
  /** The cookie that it claims to be. */
  purpose?: string;
}

/** A site whose clock is held believes nothing of later. */
const aMinuteAgo = () => Math.floor(Date.now() / 1000) - 60;

/** A cookie as the site signs it (`app/http/cookies.server.ts`); its value as it is sent. */
export function signedCookie(
  secret: string,
  name: string,
  value: unknown,
  { issued = aMinuteAgo(), until = issued + 7200, purpose = name }: Times = {},
): string {
  const content = JSON.stringify({ for: purpose, issued, until, value });
  const encoded = Buffer.from(content).toString('base64');
  const key = Buffer.from(hkdfSync('sha256', secret, '', `cookie ${name}`, 32));
  const signature = createHmac('sha256', key.toString('base64url')).update(encoded);
  return encodeURIComponent(`${encoded}.${signature.digest('base64').replace(/=+$/, '')}`);
}

/** What is in a cookie of the site; fails if there is none. */
export function contentOf(cookie = ''): { issued: number; until: number; value: unknown } {
  const [content = ''] = decodeURIComponent(cookie).split('.');
  return JSON.parse(Buffer.from(content, 'base64').toString()) as ReturnType<typeof contentOf>;
}
