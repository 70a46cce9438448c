import { describe, expect, it } from 'vitest';

import { clientOf } from '../../server/rate-limits';
import { TokenBuckets } from '../../server/token-buckets';

describe('a token bucket', () => {
  it('gives its tokens at once, then one as each becomes due', () => {
    const buckets = new TokenBuckets(5, 10 * 60_000);
    for (let n = 0; n < 5; n += 1) expect(buckets.take('a', 0)).toBe(0);
    expect(buckets.take('a', 0)).toBe(120);
    expect(buckets.take('a', 60_000)).toBe(60);
    expect(buckets.take('a', 119_999)).toBe(1);
    expect(buckets.take('a', 120_001)).toBe(0);
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
    const buckets = new TokenBuckets(1, 1e9);
    buckets.take('first', 0);
    buckets.take('second', 0);
    expect(buckets.take('first', 0)).toBeGreaterThan(0);
    for (let n = 0; n < 9999; n += 1) buckets.take(`other ${n}`, 0);
    expect(buckets.size).toBe(10_000);
    expect(buckets.take('first', 0)).toBeGreaterThan(0);
    expect(buckets.take('second', 0)).toBe(0);
  });
});

describe('one client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '8193:3512:1:2'],
    ['2001:db8:1:2::', '8193:3512:1:2'],
    ['2001:db8:1:3::1', '8193:3512:1:3'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', '65152:0:0:0'],
    ['', 'unknown'],
    ['nonsense', 'unknown'],
  ])('%s counts as %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });
});
