import { describe, expect, it } from 'vitest';

import { earlierFacts, type Fact, factOn } from '~/domain/facts';

const fee = (value: string, validFrom: string, validTo: string | null): Fact => ({
  key: 'esta_fee_total',
  value,
  unit: 'USD',
  validFrom,
  validTo,
  sourceTitle: 'S',
  sourceUrl: 'https://example.org',
  checkedOn: '2026-09-28',
});
const facts = [
  fee('40.27', '2026-01-01', null),
  fee('21', '2022-05-26', '2025-09-29'),
  fee('40', '2025-09-30', '2025-12-31'),
];

describe('a fact on a day', () => {
  it.each([
    ['2022-05-25', undefined],
    ['2022-05-26', '21'],
    ['2025-09-29', '21'],
    ['2025-09-30', '40'],
    ['2025-12-31', '40'],
    ['2026-01-01', '40.27'],
    ['2099-12-31', '40.27'],
  ])('on %s is %s', (day, value) => {
    expect(factOn(facts, 'esta_fee_total', day)?.value).toBe(value);
  });

  it('is none for a key without rows', () => {
    expect(factOn(facts, 'max_stay', '2026-01-01')).toBeUndefined();
  });

  it('has the earlier ones, the oldest first', () => {
    const values = (day: string) =>
      earlierFacts(facts, 'esta_fee_total', day).map(({ value }) => value);
    expect(values('2026-11-21')).toEqual(['21', '40']);
    expect(values('2025-12-31')).toEqual(['21']);
    expect(values('2025-09-29')).toEqual([]);
  });
});
