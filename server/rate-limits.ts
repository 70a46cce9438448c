import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

import type { Limited } from '~/http/rate-limit.server';
import { TokenBuckets } from './token-buckets';

const MINUTE_MS = 60_000;
/** Asked often, and by nobody who could be harmed: a container's health checks. */
const UNLIMITED = new Set(['/healthz', '/readyz']);

/** The addresses whose actions answer a form that is one too many. */
const ANSWERS_FORMS = /^\/(contact|eligibility-check|language|sign-out|eligibility\/[^/]+)$/;

/** How much one client may do in a while, by what it does. */
export class RateLimits {
  readonly #buckets: Record<Limited, TokenBuckets> = {
    page: new TokenBuckets(600, MINUTE_MS),
    post: new TokenBuckets(60, MINUTE_MS),
    contact: new TokenBuckets(5, 10 * MINUTE_MS),
    save: new TokenBuckets(30, 10 * MINUTE_MS),
  };

  /** Seconds until this client may do it; 0: now, and it is counted. */
  waitFor(limited: Limited, { ip = '' }: Pick<Request, 'ip'>): number {
    return this.#buckets[limited].take(clientOf(ip));
  }

  /**
   * Counts every form. Where something was typed the page says so itself, with the text kept; it
   * asks by `waitFor`. Elsewhere nothing is lost.
   */
  readonly forms: RequestHandler = (request, response, next) => {
    if (request.method !== 'POST') return next();
    const wait = this.waitFor('post', request);
    response.locals['postWait'] = wait;
    if (wait === 0 || ANSWERS_FORMS.test(request.path)) return next();
    response.set('Retry-After', String(wait)).status(429).type('text').send('Too Many Requests\n');
  };

  /** Leads who asks for too many pages to the one that says so. */
  readonly pages: RequestHandler = (request, response, next) => {
    if (request.method === 'POST' || UNLIMITED.has(request.path)) return next();
    const wait = this.waitFor('page', request);
    if (wait === 0) return next();
    if ('_data' in request.query) {
      // What a page's script asks for: it shows the error page by this header.
      response.set({ 'X-Remix-Catch': 'yes', 'Retry-After': String(wait) });
      response.status(429).type('text').send('Too Many Requests\n');
      return;
    }
    request.originalUrl = `/too-many-requests?wait=${wait}`;
    request.url = request.originalUrl;
    next();
  };
}

const clients = new LRUCache<string, string>({ max: 10_000, memoMethod: readClient });

/** Who counts as one client: an IPv4 address, or the 64 bits that an IPv6 connection is given. */
export function clientOf(address: string): string {
  return clients.memo(address);
}

function readClient(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
