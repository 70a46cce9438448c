import { expect, it } from 'vitest';

import { eurRateOf, inEuros, latestRate } from '~/domain/order/eur-rate';

const RATES = { '2026-11': '0.8612', '2026-09': '0.85', '2027-01': '0.871234' };

it.each([
  [null, '2026-08'],
  ['0.85', '2026-09', '2026-10'],
  ['0.8612', '2026-11', '2026-12'],
  ['0.871234', '2027-01', '2031-06'],
])('are converted at %j: dollars of %s', (rate, ...months) => {
  for (const month of months) expect(eurRateOf(RATES, 'USD', String(month))).toBe(rate);
});

it('of euros there is no rate, nor where the operator has told none', () => {
  expect(eurRateOf(RATES, 'EUR', '2026-11')).toBeNull();
  expect(eurRateOf({}, 'USD', '2026-11')).toBeNull();
  expect(latestRate(RATES, '2026-12')).toEqual({ month: '2026-11', rate: '0.8612' });
  expect(latestRate({}, '2026-12')).toBeUndefined();
});

it.each([
  [666, '0.8612', 574],
  [1, '0.5', 1],
  [3, '0.50', 2],
  // 100 × 0.545 = 54.5: a half, which binary fractions would lose.
  [100, '0.545', 55],
  [1005, '1.001', 1006],
  [99_999_999_999, '9.999999', 999_999_899_990],
  [-100, '0.545', -55],
])('%i cents at %s are %i in euros', (cents, rate, euros) => {
  expect(inEuros(cents, rate)).toBe(euros);
});
