import { expect, it } from 'vitest';

import { centsOf, decimalOf } from '~/domain/offer';

it.each([
  ['40.27', 4027],
  ['21', 2100],
  ['10.5', 1050],
  ['0.07', 7],
  ['999999999.99', 99_999_999_999],
  ['42,00', undefined],
  ['40.275', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  [' 21', undefined],
  ['', undefined],
])('%j is %j cents', (decimal, cents) => {
  expect(centsOf(decimal)).toBe(cents);
});

it.each([
  [3995, '39.95'],
  [7000, '70.00'],
  [7, '0.07'],
])('%i cents are %j', (cents, decimal) => {
  expect(decimalOf(cents)).toBe(decimal);
});
