import type { IncomingMessage } from 'node:http';

import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

import type { RateLimit } from '~/http/rate-limit.server';
import { TokenBuckets } from './token-buckets';

const MINUTE_MS = 60_000;
/** Health checks of the container are frequent and harmless. */
const UNLIMITED_PATHS = new Set(['/healthz', '/readyz']);

/** Routes whose actions respond to an exceeded limit themselves. */
const LIMITED_BY_ACTION = /^\/(contact|eligibility-check|language|sign-out|eligibility\/[^/]+)$/;

/** The rate limits per client, by kind of request. */
export class RateLimits {
  readonly #buckets: Record<RateLimit, TokenBuckets> = {
    page: new TokenBuckets(600, MINUTE_MS),
    post: new TokenBuckets(60, MINUTE_MS),
    contact: new TokenBuckets(5, 10 * MINUTE_MS),
    save: new TokenBuckets(30, 10 * MINUTE_MS),
  };

  /** @param addressOf the client's address, from a request */
  constructor(private readonly addressOf: (request: IncomingMessage) => string) {}

  /** Takes a token; returns 0, or the seconds until the next token. */
  consume(limit: RateLimit, request: IncomingMessage): number {
    return this.#buckets[limit].take(clientOf(this.addressOf(request)));
  }

  /**
   * Counts every form. Routes with text input respond to an exceeded limit themselves and keep the
   * input; for others the response is a plain 429.
   */
  readonly limitForms: RequestHandler = (request, response, next) => {
    if (request.method !== 'POST') return next();
    const retryAfter = this.consume('post', request);
    response.locals['postRetryAfter'] = retryAfter;
    if (retryAfter === 0 || LIMITED_BY_ACTION.test(request.path)) return next();
    response
      .set('Retry-After', String(retryAfter))
      .status(429)
      .type('text')
      .send('Too Many Requests\n');
  };

  /** Responds to an exceeded page limit with the page `/too-many-requests`. */
  readonly limitPages: RequestHandler = (request, response, next) => {
    if (request.method === 'POST' || UNLIMITED_PATHS.has(request.path)) return next();
    const retryAfter = this.consume('page', request);
    if (retryAfter === 0) return next();
    if ('_data' in request.query) {
      // A data request: with this header, Remix in the browser shows the error page.
      response.set({ 'X-Remix-Catch': 'yes', 'Retry-After': String(retryAfter) });
      response.status(429).type('text').send('Too Many Requests\n');
      return;
    }
    request.originalUrl = `/too-many-requests?wait=${retryAfter}`;
    request.url = request.originalUrl;
    next();
  };
}

const clientKeys = new LRUCache<string, string>({ max: 10_000, memoMethod: parseClientKey });

/** The key of a client: its IPv4 address, or the 64-bit prefix of its IPv6 address. */
export function clientOf(address: string): string {
  return clientKeys.memo(address);
}

function parseClientKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
