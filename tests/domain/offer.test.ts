import { expect, it } from 'vitest';

import { centsOf, decimalOf } from '~/domain/offer';

it('decimals are read as cents, and cents written as decimals', () => {
  const decimals = ['40.27', '21', '10.5', '0.07', '999999999.99'];
  expect(decimals.map(centsOf)).toEqual([4027, 2100, 1050, 7, 99_999_999_999]);
  const others = ['42,00', '40.275', '-1', '1e3', ' 21', ''];
  expect(others.filter((text) => centsOf(text) !== undefined)).toEqual([]);
  expect([3995, 7000, 7].map(decimalOf)).toEqual(['39.95', '70.00', '0.07']);
});
