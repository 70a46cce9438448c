import { expect, it } from 'vitest';

import {
  earlierFacts,
  type Fact,
  type FactKey,
  factOn,
  factProblems,
  feeProblems,
  olderFacts,
  periodProblems,
} from '~/domain/facts';
import { decisionTables } from '../decision-tables';

const fee = (value: string, validFrom: string, validTo: string | null): Fact => ({
  ...{ key: 'esta_fee_total', value, unit: 'USD', validFrom, validTo, sourceTitles: { en: 'S' } },
  ...{ sourceUrl: 'https://example.org', checkedOn: '2026-09-28' },
});
const facts = [
  fee('40.27', '2026-01-01', null),
  fee('21', '2022-05-26', '2025-09-29'),
  fee('40', '2025-09-30', '2025-12-31'),
];

const sound = fee('42.00', '2026-01-01', null);
const FACTS: Record<string, Fact> = {
  fee: sound,
  stay: { ...sound, key: 'max_stay', unit: 'days', value: '90' },
};
const totals = [fee('21', '2025-01-01', '2025-12-31'), fee('40.27', '2026-01-01', null)];

decisionTables(import.meta.url, {
  'what is wrong with the periods of a fact': (periods) => {
    const rows = periods.split(', ').map((period) => {
      const [from = '', to] = period.split(' to ');
      return fee('1', from, to ?? null);
    });
    const other: Fact = { ...fee('1', '2026-02-01', null), key: 'esta_fee_if_refused' };
    const problems = periodProblems([...rows, other]).map(({ problem }) => problem);
    return problems.join(', ') || undefined;
  },
  'the official fee on a day': (day) => {
    expect(factOn(facts, 'max_stay', day)).toBeUndefined();
    return factOn(facts, 'esta_fee_total', day)?.value;
  },
  'which of them were read too long ago, the worst first': (read, day) => {
    const all = read.split(', ').map((one) => {
      const [key, checkedOn] = one.split(' ') as [FactKey, string];
      return { ...fee('1', '2020-01-01', null), key, checkedOn };
    });
    return (
      olderFacts(all, day)
        .map(({ key }) => key)
        .join(', ') || undefined
    );
  },
  'what is wrong in a fact': (what, changes?: string) => {
    const changed = changes?.split(', ').map((change) => change.split('=')) ?? [];
    const fact: Fact = { ...FACTS[what]!, ...(Object.fromEntries(changed) as Partial<Fact>) };
    return (
      factProblems(fact)
        .map(({ column }) => column)
        .join(' ') || undefined
    );
  },
  'a fee after a refusal that is more than the whole': (value, from) => {
    return (
      feeProblems([...totals, { ...fee(value, from, null), key: 'esta_fee_if_refused' } as const])
        .map(({ total }) => total.value)
        .join() || undefined
    );
  },
});

it('a fact on a day has the earlier ones, the oldest first', () => {
  const values = (day: string) => earlierFacts(facts, 'esta_fee_total', day).map((f) => f.value);
  expect([values('2026-11-21'), values('2025-12-31')]).toEqual([['21', '40'], ['21']]);
  expect(values('2025-09-29')).toEqual([]);
});
