import { expect, it } from 'vitest';

import { readAmount, typedAmount } from '~/domain/order/typed-amount';

it.each([
  ['39,95', 3995],
  ['39.95', 3995],
  ['39', 3900],
  ['39,9', 3990],
  ['0,01', 1],
  [' 39,95 € ', 3995],
  ['39,95\u00a0€', 3995],
  ['€39.95', 3995],
  ['US$39.95', 3995],
  ['$ 39.95', 3995],
  ['39.95 usd', 3995],
  ['39,95 EUR', 3995],
  ['1 234,50', 123450],
  ['1\u202f234,50', 123450],
  ['0', 0],
  ['', undefined],
  ['€', undefined],
  ['-1', undefined],
  ['39,955', undefined],
  ['1.234', undefined],
  ['1,234', undefined],
  ['1.234,50', undefined],
  ['1,234.50', undefined],
  ['39,', undefined],
  [',95', undefined],
  ['39,9,5', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['३९', undefined],
  ['39.95 £', undefined],
  ['12345678901', undefined],
])('“%s” is %s', (typed, cents) => {
  expect(readAmount(typed)).toBe(cents);
});

it('what stands in a field is read back as the same', () => {
  for (const cents of [1, 10, 99, 100, 3995, 99_999, 1_234_567]) {
    for (const mark of [',', '.'] as const)
      expect(readAmount(typedAmount(cents, mark))).toBe(cents);
  }
  expect(typedAmount(3990, ',')).toBe('39,90');
});
