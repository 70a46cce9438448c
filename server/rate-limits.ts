import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

import { keyOf } from '~/accounts/throttle.server';
import { counts } from '~/counts.server';
import type { RateLimit } from '~/http/form.server';
import type { BuiltFiles } from './built-files';
import { clientAddress, type IsTrustedProxy } from './client-address';
import { isReading, type Step } from './exchange';
import { intakeOf } from './intake';
import { plainResponse, refusal } from './request-guard';
import type { RouteTree } from './route-tree';
import { elapsed } from '~/clock.server';

const MINUTE_MS = 60_000;

const LIMITS: Record<RateLimit, [capacity: number, periodMs: number]> = {
  page: [600, MINUTE_MS],
  file: [3000, MINUTE_MS],
  post: [60, MINUTE_MS],
  // The payment provider has a few addresses, and sends again what was refused.
  webhook: [600, MINUTE_MS],
  refusedForm: [20, MINUTE_MS],
  contact: [5, 10 * MINUTE_MS],
  save: [30, 10 * MINUTE_MS],
  withdrawal: [20, 10 * MINUTE_MS],
  photo: [40, 60 * MINUTE_MS],
  password: [30, 10 * MINUTE_MS],
};

/**
 * The prefixes of an IPv6 address, each a client of its own with so many shares: a household has a
 * /64, but whoever has a /48 has 65,536 of them.
 */
const PREFIXES: [groups: number, bitsOfNext: number, shares: number][] = [
  [4, 0, 1], // /64
  [3, 8, 4], // /56
  [3, 0, 16], // /48
];
const SHARES = PREFIXES.map(([, , shares]) => shares);

/** What only this site spends its time on; what is sent is counted by all sites on one database together. */
const OF_EACH_SITE = new Set<string>(['page', 'file', 'refusedForm'] satisfies RateLimit[]);

export class RateLimits {
  readonly #buckets = Object.fromEntries(
    Object.entries(LIMITS).map(([limit, [capacity, periodMs]]) => [
      limit,
      SHARES.map((shares) => new TokenBuckets(capacity * shares, periodMs)),
    ]),
  ) as Record<RateLimit, TokenBuckets[]>;

  readonly #site = randomUUID();
  /** Tells all sites on this database, this one too, which tokens are taken; undefined: it is the only one. */
  tell: ((taken: string) => void) | undefined;

  constructor(private readonly isTrustedProxy: IsTrustedProxy) {}

  clientOf(request: IncomingMessage): string {
    return clientsOf(clientAddress(request, this.isTrustedProxy))[0] ?? 'unknown';
  }

  consume(limit: RateLimit, request: IncomingMessage): number {
    const clients = clientsOf(clientAddress(request, this.isTrustedProxy));
    // No address leaves this process.
    const isTold = this.tell && !OF_EACH_SITE.has(limit);
    const keys = isTold ? clients.map((client) => keyOf('limit', client)) : clients;
    for (const [level, key] of keys.entries()) {
      const wait = this.#buckets[limit][level]?.take(key) ?? 0;
      // What is refused takes nothing of the neighbours' share.
      if (wait > 0) {
        const { limited } = counts();
        limited[limit] = (limited[limit] ?? 0) + 1;
        return wait;
      }
    }
    if (isTold) this.tell?.([this.#site, limit, ...keys].join(' '));
    return 0;
  }

  /** @param taken what any site has told */
  hear(taken: string): void {
    const [site, limit = '', ...keys] = taken.split(' ');
    if (site === this.#site) return;
    for (const [level, key] of keys.entries())
      this.#buckets[limit as RateLimit]?.[level]?.take(key);
  }
}

const knownClients = new LRUCache<string, string[]>({ max: 10_000, memoMethod: parseClients });

/** The clients that an address stands for: itself (IPv4), or its prefixes (IPv6), narrowest first. */
export const clientsOf = (address: string): string[] =>
  isIPv4(address) ? [address] : knownClients.memo(address);

function parseClients(address: string): string[] {
  if (!ipaddr.isValid(address)) return ['unknown'];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  const { parts } = parsed as ipaddr.IPv6;
  return PREFIXES.map(([groups, bits]) => {
    const whole = parts.slice(0, groups);
    return (bits > 0 ? [...whole, (parts[groups] ?? 0) >> (16 - bits)] : whole).join(':');
  });
}

const UNLIMITED_PATHS = new Set(['/healthz', '/readyz']);

/** Also what will be refused counts; before anything is read or rendered. */
export function limitRequests(limits: RateLimits, files: BuiltFiles, routes: RouteTree): Step {
  return (exchange) => {
    const { incoming, target } = exchange;
    const { method = '' } = incoming;
    if (UNLIMITED_PATHS.has(target.path) && isReading(incoming) && !target.search) return undefined;
    const intake = intakeOf(target.path);
    if (intake.methods.includes(method)) {
      exchange.client = limits.clientOf(incoming);
      const retryAfter = limits.consume(intake.limit, incoming);
      exchange.postRetryAfter = retryAfter;
      if (retryAfter === 0) return undefined;
      const { limitsForms } = routes.handleOf(target.path);
      exchange.refusal = `limit: ${intake.limit}`;
      if (limitsForms && limits.consume('refusedForm', incoming) === 0) return undefined;
      return refusal(exchange, 429, { 'Retry-After': String(retryAfter), Connection: 'close' });
    }
    // A page of the desk asks twelve times a minute.
    const isFile = files.has(target.path) || target.path === '/crm/pulse';
    const retryAfter = limits.consume(isFile ? 'file' : 'page', incoming);
    if (retryAfter === 0) return undefined;
    exchange.refusal = `limit: ${isFile ? 'file' : 'page'}`;
    const headers = { 'Retry-After': String(retryAfter) };
    if (isFile || !isReading(incoming)) return plainResponse(429, headers);
    if (intake.forPrograms) return refusal(exchange, 429, headers);
    // A data request: with this header, Remix in the browser shows the error page.
    if (new URLSearchParams(target.search).has('_data')) {
      return plainResponse(429, { ...headers, 'X-Remix-Catch': 'yes' });
    }
    exchange.target = { path: '/too-many-requests', search: `?wait=${retryAfter}` };
    return undefined;
  };
}

/** At most so many clients are remembered, and as many again that are over their limit. */
const MAX_BUCKETS = 10_000;

type Bucket = { tokens: number; updatedAt: number };

/** By size: with `max`, the cache would take the memory of all of them at once. */
const newBuckets = () =>
  new LRUCache<string, Bucket>({ maxSize: MAX_BUCKETS, sizeCalculation: () => 1 });

/**
 * Token buckets, one per client: `capacity` requests at once, refilled over `periodMs`. The number
 * of clients is bounded: who has not come for longest is forgotten, but nobody who is over the limit
 * for any number of others. No library: express-rate-limit and rate-limiter-flexible count in fixed
 * windows and do not limit the number of keys.
 */
export class TokenBuckets {
  readonly #buckets = newBuckets();
  readonly #empty = newBuckets();

  constructor(
    readonly capacity: number,
    readonly periodMs: number,
  ) {}

  take(key: string, now = elapsed()): number {
    const perMs = this.capacity / this.periodMs;
    const full = { tokens: this.capacity, updatedAt: now };
    const { tokens, updatedAt } = this.#buckets.get(key) ?? this.#empty.get(key) ?? full;
    const available = Math.min(this.capacity, tokens + Math.max(0, now - updatedAt) * perMs);
    const isAllowed = available >= 1;
    const left = isAllowed ? available - 1 : available;
    const [own, other] = left < 1 ? [this.#empty, this.#buckets] : [this.#buckets, this.#empty];
    other.delete(key);
    own.set(key, { tokens: left, updatedAt: now });
    return isAllowed ? 0 : Math.ceil((1 - available) / perMs / 1000);
  }

  get size(): number {
    return this.#buckets.size + this.#empty.size;
  }
}
