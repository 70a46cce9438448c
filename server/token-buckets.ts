/** More clients than these are not told apart: the one seen longest ago is forgotten. */
const MOST_KEYS = 10_000;

interface Bucket {
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  at: number;
}

/**
 * Token buckets, one a client: `capacity` requests at once, then as many in `periodMs` again. Kept
 * by hand: of the libraries at hand, express-rate-limit and rate-limiter-flexible count in windows
 * and keep as many keys as come.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    readonly capacity: number,
    readonly periodMs: number,
  ) {}

  /** Takes a token of this client's; returns 0, or the seconds until there is one again. */
  take(key: string, now = performance.now()): number {
    const perMs = this.capacity / this.periodMs;
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: this.capacity, at: now };
    const left = Math.min(this.capacity, tokens + Math.max(0, now - at) * perMs);
    const wait = left >= 1 ? 0 : Math.ceil((1 - left) / perMs / 1000);
    // Deleted first, so that the map stays in the order of last use.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: wait > 0 ? left : left - 1, at: now });
    if (this.#buckets.size > MOST_KEYS) this.#forgetOldest();
    return wait;
  }

  get size(): number {
    return this.#buckets.size;
  }

  #forgetOldest(): void {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key);
      return;
    }
  }
}
