import { expect, it } from 'vitest';

import { readAmount, typedAmount } from '~/domain/order/refund-rules';

it.each<[number | undefined, ...string[]]>([
  [3995, '39,95', '39.95', ' 39,95 € ', '39,95\u00a0€', '€39.95', 'US$39.95', '$ 39.95'],
  [3995, '39.95 usd', '39,95 EUR'],
  [3900, '39'],
  [3990, '39,9'],
  [1, '0,01'],
  [0, '0'],
  [123450, '1 234,50', '1\u202f234,50'],
  [undefined, '', '€', '-1', '39,955', '1.234', '1,234', '1.234,50', '1,234.50', '39,', ',95'],
  [undefined, '39,9,5', '1e3', '0x10', '३९', '39.95 £', '12345678901'],
])('%s cents are typed as %j', (cents, ...texts) => {
  for (const typed of texts) expect([typed, readAmount(typed)]).toEqual([typed, cents]);
});

it('what stands in a field is read back as the same', () => {
  for (const cents of [1, 10, 99, 100, 3995, 99_999, 1_234_567]) {
    for (const mark of [',', '.'] as const)
      expect(readAmount(typedAmount(cents, mark))).toBe(cents);
  }
  expect(typedAmount(3990, ',')).toBe('39,90');
});
