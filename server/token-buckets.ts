import { elapsed } from '~/clock.server';

/** At most so many clients are remembered, and as many again that are over their limit. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  updatedAt: number;
  isRecent: boolean;
}

/**
 * Token buckets, one per client: `capacity` requests at once, refilled over `periodMs`. The number
 * of clients is bounded: who has not come for longest is forgotten, but nobody who is over the limit
 * for any number of others. No library: express-rate-limit and rate-limiter-flexible count in fixed
 * windows and do not limit the number of keys.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #empty = new Map<string, Bucket>();

  constructor(
    readonly capacity: number,
    readonly periodMs: number,
  ) {}

  take(key: string, now = elapsed()): number {
    const perMs = this.capacity / this.periodMs;
    const bucket = this.#buckets.get(key) ??
      this.#empty.get(key) ?? { tokens: this.capacity, updatedAt: now, isRecent: false };
    const passed = Math.max(0, now - bucket.updatedAt);
    const available = Math.min(this.capacity, bucket.tokens + passed * perMs);
    const isAllowed = available >= 1;
    bucket.tokens = isAllowed ? available - 1 : available;
    bucket.updatedAt = now;
    bucket.isRecent = true;
    const [own, other] =
      bucket.tokens < 1 ? [this.#empty, this.#buckets] : [this.#buckets, this.#empty];
    if (!own.has(key)) {
      other.delete(key);
      own.set(key, bucket);
      if (own.size > MAX_BUCKETS) makeRoom(own);
    }
    return isAllowed ? 0 : Math.ceil((1 - available) / perMs / 1000);
  }

  get size(): number {
    return this.#buckets.size + this.#empty.size;
  }
}

/**
 * Forgets the client that has not come for longest, nearly: the first that has not come since it was
 * looked at before. To keep the exact order would cost more with each request than all the rest.
 */
function makeRoom(buckets: Map<string, Bucket>): void {
  for (const [key, bucket] of buckets) {
    buckets.delete(key);
    if (!bucket.isRecent) return;
    bucket.isRecent = false;
    buckets.set(key, bucket);
  }
}
