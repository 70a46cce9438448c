import { describe, expect, it } from 'vitest';

import { formatReference, readReference } from '~/domain/application/reference';

describe('a reference', () => {
  it.each([
    [[0, 0, 0, 0, 0], 'TRV-0000-0000'],
    // Each symbol once: 0 to 31 as five bits each.
    [[0x00, 0x44, 0x32, 0x14, 0xc7], 'TRV-0123-4567'],
    [[0x42, 0x54, 0xb6, 0x35, 0xcf], 'TRV-89AB-CDEF'],
    [[0x84, 0x65, 0x3a, 0x56, 0xd7], 'TRV-GHJK-MNPQ'],
    [[0xc6, 0x75, 0xbe, 0x77, 0xdf], 'TRV-RSTV-WXYZ'],
  ])('of the bytes %j is %s', (bytes, reference) => {
    expect(formatReference(Uint8Array.from(bytes))).toBe(reference);
    expect(readReference(reference)).toBe(reference);
  });

  it.each([0, 4, 6])('is not made of %i bytes', (length) =>
    expect(() => formatReference(new Uint8Array(length))).toThrow(RangeError),
  );

  it.each([
    ...['TRV-4T7K-01QD', 'trv-4t7k-01qd', '4T7K-01QD', '4t7k01qd', 'TRV4T7K01QD'],
    ...[' TRV 4T7K 01QD\n', 'TRV\u00a04T7K\u202f01QD', 'T-R-V-4-T-7-K-0-1-Q-D'],
    // A dash that a word processor made, and what copying brings along unseen.
    ...['TRV–4T7K—01QD', 'TRV‑4T7K\u221201QD', 'TRV-4T7K-\u00ad01QD\u200b'],
    ...['TRV-4T7K-OIQD', 'trv-4t7k-olqd', 'TRV-4T7K-0LQD'],
  ])('may be typed as %j', (typed) => expect(readReference(typed)).toBe('TRV-4T7K-01QD'));

  // Its symbols begin like the prefix.
  it.each(['TRV-TRV0-1234', 'TRV0-1234'])('is read of %j with and without TRV', (typed) =>
    expect(readReference(typed)).toBe('TRV-TRV0-1234'),
  );

  it.each([
    ...['', ' ', 'TRV', 'TRV-4T7K-01Q', 'TRV-4T7K-01QDD', '4T7K-01QDD', 'ABC-4T7K-01QD'],
    // U is no symbol.
    ...['TRVTRV4T7K01QD', 'TRV-4T7K-01QU', 'TRV-4T7K-01Q!', 'TRV_4T7K_01QD', 'TRV-4T7K-01Q٣'],
    ...['TRV-4T7K-01Q😀', '../TRV-4T7K-01QD'],
  ])('is not %j', (typed) => expect(readReference(typed)).toBeUndefined());
});
