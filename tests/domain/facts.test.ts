import { describe, expect, it } from 'vitest';

import {
  earlierFacts,
  type Fact,
  factOn,
  factProblems,
  feeProblems,
  periodProblems,
} from '~/domain/facts';

const fee = (value: string, validFrom: string, validTo: string | null): Fact => ({
  ...{ key: 'esta_fee_total', value, unit: 'USD', validFrom, validTo, sourceTitles: { en: 'S' } },
  ...{ sourceUrl: 'https://example.org', checkedOn: '2026-09-28' },
});
const facts = [
  fee('40.27', '2026-01-01', null),
  fee('21', '2022-05-26', '2025-09-29'),
  fee('40', '2025-09-30', '2025-12-31'),
];

describe('a fact on a day', () => {
  it.each([
    [undefined, '2022-05-25'],
    ['21', '2022-05-26', '2025-09-29'],
    ['40', '2025-09-30', '2025-12-31'],
    ['40.27', '2026-01-01', '2099-12-31'],
  ])('is %s on %s, and none for a key without rows', (value, ...days) => {
    for (const day of days) {
      expect(factOn(facts, 'esta_fee_total', String(day))?.value).toBe(value);
      expect(factOn(facts, 'max_stay', String(day))).toBeUndefined();
    }
  });

  it('has the earlier ones, the oldest first', () => {
    const values = (day: string) => earlierFacts(facts, 'esta_fee_total', day).map((f) => f.value);
    expect(values('2026-11-21')).toEqual(['21', '40']);
    expect(values('2025-12-31')).toEqual(['21']);
    expect(values('2025-09-29')).toEqual([]);
  });
});

const BAD_ADDRESSES = 'http://a.eu|javascript:alert(1)|https://|https://a.eu/a b'.split('|');

const sound = fee('42.00', '2026-01-01', null);
const stay: Fact = { ...sound, key: 'max_stay', unit: 'days', value: '90' };

it.each<[string, ...Fact[]]>([
  ['', sound, { ...sound, value: '42' }, { ...sound, validTo: '2026-01-01' }],
  ['', stay, { ...stay, unit: 'months', value: '3' }],
  ['', { ...sound, key: 'official_payment', unit: 'list', value: 'card' }],
  ['value', ...['42,00', 'abc', '4x2', ''].map((value) => ({ ...sound, value }))],
  ['value', ...['90.5', '0'].map((value) => ({ ...stay, value }))],
  ['unit', { ...sound, unit: 'EUR' }],
  ['valid_from', ...['2026-02-30', '01.02.2026'].map((validFrom) => ({ ...sound, validFrom }))],
  ['valid_to', ...['2027-02-29', '2025-12-31'].map((validTo) => ({ ...sound, validTo }))],
  ['checked_on', { ...sound, checkedOn: 'yesterday' }],
  ['source_url', ...BAD_ADDRESSES.map((sourceUrl) => ({ ...sound, sourceUrl }))],
  ['unit value checked_on', { ...sound, unit: 'EUR', value: '4x2', checkedOn: '' }],
])('a fact has something wrong in "%s": %j', (columns, ...wrong) => {
  for (const fact of wrong) {
    const found = factProblems(fact).map((problem) => problem.column);
    expect([fact, found.join(' ')]).toEqual([fact, columns]);
  }
});

const open = fee('1', '2026-03-01', null);
const until = (day: string) => fee('1', '2026-01-01', day);
it.each<[string, Fact[], string[]]>([
  ['one after the other', [until('2026-02-28'), open], []],
  ['in any order', [open, until('2026-02-28')], []],
  ['with a gap', [until('2026-02-27'), open], ['no value holds from 2026-02-28 to 2026-02-28']],
  ['that overlap', [until('2026-03-01'), open], ['two values hold on 2026-03-01']],
  ['both open', [fee('1', '2026-01-01', null), open], ['two values hold on 2026-03-01']],
])('the periods of a fact %s', (_name, rows, problems) => {
  const other: Fact = { ...fee('1', '2026-02-01', null), key: 'esta_fee_if_refused' };
  expect(periodProblems([...rows, other]).map(({ problem }) => problem)).toEqual(problems);
});

const refused = (value: string, from: string): Fact => ({
  ...fee(value, from, null),
  key: 'esta_fee_if_refused',
});
const totals = [fee('21', '2025-01-01', '2025-12-31'), fee('40.27', '2026-01-01', null)];

it.each<[string, string, string[]]>([
  ['10.27', '2026-01-01', []],
  ['40.27', '2026-01-01', []],
  ['40.28', '2026-01-01', ['40.27']],
  ['30', '2025-12-31', ['21']],
  ['30', '2026-01-01', []],
])('a refused fee of %s from %s on is more than the whole of %j', (value, from, wholes) => {
  const problems = feeProblems([...totals, refused(value, from)]);
  expect(problems.map(({ total }) => total.value)).toEqual(wholes);
});
