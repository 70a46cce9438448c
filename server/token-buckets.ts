/** The least recently used bucket is evicted beyond this number. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  updatedAt: number;
}

/**
 * Token buckets, one per client: `capacity` requests at once, refilled over `periodMs`. No library:
 * express-rate-limit and rate-limiter-flexible count in fixed windows and do not limit the number
 * of keys.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    readonly capacity: number,
    readonly periodMs: number,
  ) {}

  /** Takes a token from the bucket of `key`; returns 0, or the seconds until the next token. */
  take(key: string, now = performance.now()): number {
    const perMs = this.capacity / this.periodMs;
    const { tokens, updatedAt: at } = this.#buckets.get(key) ?? {
      tokens: this.capacity,
      updatedAt: now,
    };
    const available = Math.min(this.capacity, tokens + Math.max(0, now - at) * perMs);
    const retryAfter = available >= 1 ? 0 : Math.ceil((1 - available) / perMs / 1000);
    // Deleted first, to keep the map in the order of last use.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: retryAfter > 0 ? available : available - 1, updatedAt: now });
    if (this.#buckets.size > MAX_BUCKETS) this.#evictOldest();
    return retryAfter;
  }

  get size(): number {
    return this.#buckets.size;
  }

  #evictOldest(): void {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key);
      return;
    }
  }
}
