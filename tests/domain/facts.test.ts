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
  key: 'esta_fee_total',
  value,
  unit: 'USD',
  validFrom,
  validTo,
  sourceTitles: { en: 'S' },
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

describe('a fact', () => {
  const sound = fee('42.00', '2026-01-01', null);
  const stay: Fact = { ...sound, key: 'max_stay', unit: 'days', value: '90' };

  it.each<[Fact, ...string[]]>([
    [sound],
    [{ ...sound, value: '42' }],
    [{ ...sound, value: '42,00' }, 'value'],
    [{ ...sound, value: 'abc' }, 'value'],
    [{ ...sound, value: '4x2' }, 'value'],
    [{ ...sound, value: '' }, 'value'],
    [{ ...sound, unit: 'EUR' }, 'unit'],
    [stay],
    [{ ...stay, unit: 'months', value: '3' }],
    [{ ...stay, value: '90.5' }, 'value'],
    [{ ...stay, value: '0' }, 'value'],
    [{ ...sound, key: 'official_payment', unit: 'list', value: 'card' }],
    [{ ...sound, validFrom: '2026-02-30' }, 'valid_from'],
    [{ ...sound, validFrom: '01.02.2026' }, 'valid_from'],
    [{ ...sound, validTo: '2027-02-29' }, 'valid_to'],
    [{ ...sound, validTo: '2025-12-31' }, 'valid_to'],
    [{ ...sound, validTo: '2026-01-01' }],
    [{ ...sound, checkedOn: 'yesterday' }, 'checked_on'],
    [{ ...sound, sourceUrl: 'http://example.org' }, 'source_url'],
    [{ ...sound, sourceUrl: 'javascript:alert(1)' }, 'source_url'],
    [{ ...sound, sourceUrl: 'https://' }, 'source_url'],
    [{ ...sound, sourceUrl: 'https://example.org/a b' }, 'source_url'],
    [{ ...sound, unit: 'EUR', value: '4x2', checkedOn: '' }, 'unit', 'value', 'checked_on'],
  ])('%o: what is wrong with it is %s', (fact, ...columns) => {
    expect(factProblems(fact).map((problem) => problem.column)).toEqual(columns);
  });
});

describe('the periods of a fact', () => {
  it.each<[string, [string, string | null][], string[]]>([
    [
      'one after the other',
      [
        ['2026-01-01', '2026-02-28'],
        ['2026-03-01', null],
      ],
      [],
    ],
    [
      'in any order',
      [
        ['2026-03-01', null],
        ['2026-01-01', '2026-02-28'],
      ],
      [],
    ],
    [
      'with days between them',
      [
        ['2026-01-01', '2026-02-26'],
        ['2026-03-01', null],
      ],
      ['no value holds from 2026-02-27 to 2026-02-28'],
    ],
    [
      'that overlap',
      [
        ['2026-01-01', '2026-03-01'],
        ['2026-03-01', null],
      ],
      ['two values hold on 2026-03-01'],
    ],
    [
      'both without an end',
      [
        ['2026-01-01', null],
        ['2026-03-01', null],
      ],
      ['two values hold on 2026-03-01'],
    ],
  ])('%s', (_name, periods, problems) => {
    const rows = periods.map(([from, to]) => fee('1', from, to));
    expect(periodProblems(rows).map(({ problem }) => problem)).toEqual(problems);
  });

  it('of different facts have nothing to do with each other', () => {
    const other: Fact = { ...fee('1', '2026-05-01', null), key: 'esta_fee_if_refused' };
    expect(periodProblems([fee('1', '2026-01-01', null), other])).toEqual([]);
  });
});

describe('the fee of a refused application', () => {
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
  ])('of %s from %s on is more than the whole of %j', (value, from, wholes) => {
    const problems = feeProblems([...totals, refused(value, from)]);
    expect(problems.map(({ total }) => total.value)).toEqual(wholes);
  });
});
