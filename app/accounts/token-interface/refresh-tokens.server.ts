import { createHmac, timingSafeEqual } from 'node:crypto';

import { keysFor } from '~/http/secret.server';
import { hashOfToken, randomToken } from '../tokens.server';

/**
 * A refresh token names its session, holds a secret of 256 bits, and is marked as ours: a token that
 * is not (any more) the session's shows by its mark that it was once, so it has been used twice.
 */
const TOKEN = /^([0-9a-f-]{36})\.([\w-]{43})\.([\w-]{43})$/;

export function newRefreshToken(sessionId: string): string {
  return marked(sessionId, randomToken());
}

/**
 * The one that follows a token: the same each time, and for nobody else to find. So two requests at the
 * same moment, or a request that is sent again because its answer was lost, are given the same one.
 *
 * @returns by each key, the current one first
 */
export function followersOf(token: string): string[] {
  const { sessionId = '' } = readRefreshToken(token) ?? {};
  return keysFor('following refresh token').map((key) => marked(sessionId, hmac(key, token)));
}

/** What a token says of itself; undefined if it looks like none. */
export function readRefreshToken(
  token: string,
): { sessionId: string; hash: string; isMarked: boolean } | undefined {
  const [, sessionId, secret, mark] = TOKEN.exec(token) ?? [];
  if (sessionId === undefined || secret === undefined || mark === undefined) return undefined;
  const isMarked = marksOf(sessionId, secret).some((right) => isSame(right, mark));
  return { sessionId, hash: hashOfToken(token), isMarked };
}

function marked(sessionId: string, secret: string): string {
  const [mark = ''] = marksOf(sessionId, secret);
  return `${sessionId}.${secret}.${mark}`;
}

const marksOf = (sessionId: string, secret: string) =>
  keysFor('refresh token').map((key) => hmac(key, `${sessionId}.${secret}`));
const hmac = (key: string, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url');
const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));
