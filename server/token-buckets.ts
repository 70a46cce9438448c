/** At most so many clients are remembered, and as many again that are over their limit. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  updatedAt: number;
}

/**
 * Token buckets, one per client: `capacity` requests at once, refilled over `periodMs`. The number
 * of clients is bounded: who has not come for longest is forgotten, but nobody who is over the limit
 * for any number of others. No library: express-rate-limit and rate-limiter-flexible count in fixed
 * windows and do not limit the number of keys.
 */
export class TokenBuckets {
  /** Both in the order of last use. */
  readonly #buckets = new Map<string, Bucket>();
  readonly #empty = new Map<string, Bucket>();

  constructor(
    readonly capacity: number,
    readonly periodMs: number,
  ) {}

  /** Takes a token from the bucket of `key`; returns 0, or the seconds until the next token. */
  take(key: string, now = performance.now()): number {
    const perMs = this.capacity / this.periodMs;
    const { tokens, updatedAt: at } = this.#buckets.get(key) ??
      this.#empty.get(key) ?? { tokens: this.capacity, updatedAt: now };
    const available = Math.min(this.capacity, tokens + Math.max(0, now - at) * perMs);
    const isAllowed = available >= 1;
    const bucket = { tokens: isAllowed ? available - 1 : available, updatedAt: now };
    // Deleted first, to keep the order of last use.
    this.#buckets.delete(key);
    this.#empty.delete(key);
    remember(bucket.tokens < 1 ? this.#empty : this.#buckets, key, bucket);
    return isAllowed ? 0 : Math.ceil((1 - available) / perMs / 1000);
  }

  get size(): number {
    return this.#buckets.size + this.#empty.size;
  }
}

function remember(buckets: Map<string, Bucket>, key: string, bucket: Bucket): void {
  buckets.set(key, bucket);
  if (buckets.size <= MAX_BUCKETS) return;
  for (const oldest of buckets.keys()) {
    buckets.delete(oldest);
    return;
  }
}
