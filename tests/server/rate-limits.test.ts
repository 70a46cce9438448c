import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { clientsOf, RateLimits, TokenBuckets } from '../../server/rate-limits';
import { decisionTables } from '../decision-tables';

describe('a token bucket', () => {
  it('gives its tokens at once, then one as each becomes due', () => {
    const buckets = new TokenBuckets(5, 10 * 60_000);
    for (let n = 0; n < 5; n += 1) expect(buckets.take('a', 0)).toBe(0);
    expect([buckets.take('a', 0), buckets.take('a', 60_000)]).toEqual([120, 60]);
    expect([buckets.take('a', 119_999), buckets.take('a', 120_001)]).toEqual([1, 0]);
    expect(buckets.take('a', 120_001)).toBe(120);
  });

  it('is never fuller than full, and each client has its own', () => {
    const buckets = new TokenBuckets(2, 1000);
    expect([0, 1, 2].map(() => buckets.take('a', 1e9))).toEqual([0, 0, 1]);
    expect(buckets.take('b', 1e9)).toBe(0);
    // A clock that is set back gives nothing away.
    expect(buckets.take('a', 0)).toBe(1);
  });

  it('is forgotten, the one used longest ago first, when there are 10,000', () => {
    const buckets = new TokenBuckets(3, 1e9);
    const takeTwo = (key: string) => [buckets.take(key, 0), buckets.take(key, 0)];
    takeTwo('first');
    takeTwo('second');
    for (let n = 0; n < 9998; n += 1) buckets.take(`other ${n}`, 0);
    buckets.take('first', 0);
    // `first` has used up its three and is kept apart; `second` is still there, and then it is not.
    buckets.take('one more', 0);
    expect(buckets.size).toBe(10_001);
    buckets.take('and one', 0);
    expect([buckets.size, takeTwo('second')]).toEqual([10_001, [0, 0]]);
    expect(buckets.take('second', 0)).toBe(0);
    for (let n = 0; n < 50_000; n += 1) buckets.take(`crowd ${n}`, 0);
    expect(buckets.take('first', 0)).toBeGreaterThan(0);
    expect(buckets.size).toBeLessThanOrEqual(10_002);
  });
});

decisionTables(import.meta.url, {
  'what an address counts as': (address) => clientsOf(address).join(', '),
});

describe('the limit', () => {
  const from = (address: string) =>
    ({ socket: { remoteAddress: address }, headers: {} }) as IncomingMessage;
  const allowed = (limits: RateLimits, address: (n: number) => string, tries: number) =>
    Array.from({ length: tries }, (_, n) => limits.consume('post', from(address(n)))).filter(
      (wait) => wait === 0,
    ).length;

  const hex = (n: number) => n.toString(16);
  it.each<[string, (n: number) => string, number]>([
    ['an IPv4 address', () => '192.0.2.7', 60],
    ['a /64, whatever its addresses', (n) => `2001:db8:1:1::${n}`, 60],
    ['a /56, whatever its /64', (n) => `2001:db8:1:1${hex((n % 200) + 256).slice(1)}::1`, 240],
    ['a /48, whatever its /56', (n) => `2001:db8:1:${hex(n * 50)}::1`, 960],
  ])('counts %s as one client', (_, address, most) => {
    const count = allowed(new RateLimits(() => false), address, 1300);
    // A token or two come back while the test runs.
    expect(count).toBeGreaterThanOrEqual(most);
    expect(count).toBeLessThan(most + most / 10);
  });

  it('of a household is not its neighbours’', () => {
    const limits = new RateLimits(() => false);
    allowed(limits, () => '2001:db8:1:100::1', 2000);
    expect(allowed(limits, () => '2001:db8:1:101::1', 50)).toBe(50);
  });
});
