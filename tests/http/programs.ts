import { randomUUID } from 'node:crypto';

import { AuthClient } from '@supabase/auth-js';

import type { Site } from '../production-server';
import { authenticator, makeAccount, PASSWORD } from './accounts';
import { anyAddress } from './visitor';

export function libraryOf(site: Site) {
  const asked: string[] = [];
  const address = anyAddress();
  const auth = new AuthClient({
    url: site.origin,
    storageKey: randomUUID(),
    autoRefreshToken: false,
    async fetch(input, init) {
      asked.push(`${init?.method ?? 'GET'} ${new URL(input as string).pathname}`);
      const headers = new Headers(init?.headers);
      headers.set('X-Forwarded-For', address);
      return fetch(input, { ...init, headers });
    },
  });
  return { auth, asked };
}

export const codeAt = (secret: string, instant: number) => authenticator(secret)(instant);

interface Answer {
  status: number;
  json: Record<string, unknown>;
  headers: Headers;
}

interface Sent {
  token?: string | undefined;
  /** JSON, unless it is text. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** One call of the token interface, such as `POST /factors`, from an address of its own. */
export async function call(site: Site, what: string, sent: Sent = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = what.split(' ');
  const { token, body, headers } = sent;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  const response = await fetch(site.origin + path, {
    method,
    redirect: 'manual',
    headers: {
      'X-Forwarded-For': anyAddress(),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(method === 'POST' && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(method === 'POST' && { body: text }),
  });
  const answer = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false;
  const json = isJson ? (JSON.parse(answer) as Record<string, unknown>) : {};
  return { status: response.status, json, headers: response.headers };
}

interface Tokens {
  access: string;
  refresh: string;
  json: Record<string, unknown>;
}

export function tokensOf({ status, json }: Answer): Tokens {
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(json)}`);
  return { access: String(json['access_token']), refresh: String(json['refresh_token']), json };
}

export async function signIn(site: Site, email: string): Promise<Tokens> {
  const body = { email, password: PASSWORD };
  return tokensOf(await call(site, 'POST /token?grant_type=password', { body }));
}

export const refresh = (site: Site, token: string) =>
  call(site, 'POST /token?grant_type=refresh_token', { body: { refresh_token: token } });

export async function enroll(site: Site, token: string, name = 'Telefon') {
  const body = { factor_type: 'totp', friendly_name: name };
  const { json } = await call(site, 'POST /factors', { token, body });
  const { secret } = json['totp'] as { secret: string };
  return { id: String(json['id']), secret };
}

/** Gives an authenticator's code: of the site's present, unless it is another instant's. */
export async function verify(
  site: Site,
  token: string,
  factor: { id: string; secret: string },
  instant?: number,
) {
  const challenge = await call(site, `POST /factors/${factor.id}/challenge`, { token });
  const code = codeAt(factor.secret, instant ?? (await site.clock.now()));
  const body = { challenge_id: challenge.json['id'], code };
  return call(site, `POST /factors/${factor.id}/verify`, { token, body });
}

/** An account with an authenticator, and a session at the second level. */
export async function withFactor(site: Site) {
  const account = await makeAccount(site);
  const { access } = await signIn(site, account.email);
  const factor = await enroll(site, access);
  const tokens = tokensOf(await verify(site, access, factor));
  await site.clock.pass(30_000);
  return { account, factor, tokens };
}

export function claimsIn(token: string): Record<string, unknown> {
  const [, claims = ''] = token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
}
