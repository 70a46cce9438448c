import { expect, it } from 'vitest';

import { eurRateOf, inEuros, latestRate, rateOn } from '~/domain/order/eur-rate';
import { decisionTables } from '../../decision-tables';

const RATES = { '2026-11': '0.8612', '2026-09': '0.85', '2027-01': '0.871234' };

decisionTables(import.meta.url, {
  'rate of dollars of a month': (month) => eurRateOf(RATES, 'USD', month),
  'rate of dollars that is told on a day': (day) => rateOn(RATES, day)?.rate,
  'cents in euros': (cents, rate) => inEuros(Number(cents), rate),
});

it('of euros there is no rate, nor where the operator has told none', () => {
  expect(eurRateOf(RATES, 'EUR', '2026-11')).toBeNull();
  expect(eurRateOf({}, 'USD', '2026-11')).toBeNull();
  expect(latestRate(RATES, '2026-12')).toEqual({ month: '2026-11', rate: '0.8612' });
  expect(latestRate({}, '2026-12')).toBeUndefined();
});
