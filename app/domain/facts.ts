import { centsOf } from './offer';
import { addDays, daysUntil, isDay } from './timeline';

/** What it is, and how old its last check may be, in days (docs/content.md). */
const FACTS = {
  esta_fee_total: ['money', 60],
  esta_fee_if_refused: ['money', 60],
  land_border_fee: ['money', 60],
  esta_validity: ['duration', 365],
  max_stay: ['duration', 365],
  official_processing_up_to: ['duration', 180],
  apply_before_travel: ['duration', 180],
  social_media_required: ['words', 60],
  portrait_required: ['words', 60],
  official_payment: ['words', 180],
  official_unpaid_kept: ['duration', 180],
  vwp_country_count: ['count', 60],
} as const;
export type FactKey = keyof typeof FACTS;
export const FACT_KEYS = Object.keys(FACTS) as FactKey[];

export const checkDays = (key: FactKey): number => FACTS[key][1];

const UNITS: Record<(typeof FACTS)[FactKey][0], readonly string[] | undefined> = {
  money: ['USD'],
  duration: ['hours', 'days', 'months'],
  count: ['countries'],
  words: undefined,
};

/** A fact for one period. Dates are `yyyy-MM-dd`, first and last day included. */
export interface Fact {
  key: FactKey;
  value: string;
  unit: string;
  validFrom: string;
  validTo: string | null;
  sourceTitles: { en: string } & Partial<Record<string, string>>;
  sourceUrl: string;
  checkedOn: string;
}

export interface FactProblem {
  column: 'value' | 'unit' | 'valid_from' | 'valid_to' | 'source_url' | 'checked_on';
  expected: string;
}

export function factProblems(fact: Fact): FactProblem[] {
  const { key, value, unit, validFrom, validTo, sourceUrl, checkedOn } = fact;
  const [kind] = FACTS[key];
  const units = UNITS[kind];
  const problems: FactProblem[] = [];
  const demand = (column: FactProblem['column'], holds: boolean, expected: string) => {
    if (!holds) problems.push({ column, expected: `expected ${expected}` });
  };
  const day = 'a day that there is, as yyyy-MM-dd';
  if (units) demand('unit', units.includes(unit), units.join(' or '));
  if (kind === 'money') {
    demand('value', centsOf(value) !== undefined, 'an amount such as 42.00, with a point');
  }
  if (kind === 'duration' || kind === 'count') {
    demand('value', /^[1-9]\d{0,5}$/.test(value), 'a whole number');
  }
  demand('valid_from', isDay(validFrom), day);
  if (validTo !== null) {
    demand('valid_to', isDay(validTo), day);
    if (isDay(validFrom) && isDay(validTo)) {
      demand('valid_to', validTo >= validFrom, `no day before valid_from, which is "${validFrom}"`);
    }
  }
  demand('checked_on', isDay(checkedOn), day);
  const isSecure = /^https:\/\/\S+$/.test(sourceUrl) && URL.canParse(sourceUrl);
  demand('source_url', isSecure, 'an address that begins with https://');
  return problems;
}

type Period = Pick<Fact, 'key' | 'validFrom' | 'validTo'>;

/** Where two periods of a fact leave a gap or overlap; `at` is the later one. */
export function periodProblems<P extends Period>(facts: readonly P[]) {
  return FACT_KEYS.flatMap((key) => {
    const periods = facts
      .filter((fact) => fact.key === key)
      .sort((a, b) => a.validFrom.localeCompare(b.validFrom));
    return periods.slice(1).flatMap((at, index) => {
      const end = periods[index]?.validTo ?? null;
      if (end === null || end >= at.validFrom) {
        return { at, problem: `two values hold on ${at.validFrom}` };
      }
      const next = addDays(end, 1);
      if (next === at.validFrom) return [];
      return { at, problem: `no value holds from ${next} to ${addDays(at.validFrom, -1)}` };
    });
  });
}

/** Where a refused application costs more than an approved one, of which its fee is a part. */
export function feeProblems<F extends Fact>(facts: readonly F[]): { at: F; total: F }[] {
  const rows = (key: FactKey) => facts.filter((fact) => fact.key === key);
  const overlap = (one: F, other: F) =>
    (one.validTo === null || other.validFrom <= one.validTo) &&
    (other.validTo === null || one.validFrom <= other.validTo);
  return rows('esta_fee_if_refused').flatMap((at) =>
    rows('esta_fee_total')
      .filter((total) => overlap(at, total))
      .filter((total) => (centsOf(at.value) ?? 0) > (centsOf(total.value) ?? Infinity))
      .map((total) => ({ at, total })),
  );
}

/** Durations stand in the law; fees and the list of countries change (docs/decisions/0007-shipped-content.md). */
export const mayStandIn = ({ key }: Fact): boolean =>
  FACTS[key][0] === 'duration' || FACTS[key][0] === 'words';

export function factOn(facts: readonly Fact[], key: FactKey, day: string): Fact | undefined {
  return facts
    .filter((fact) => fact.key === key && fact.validFrom <= day)
    .filter(({ validTo }) => validTo === null || day <= validTo)
    .sort((a, b) => b.validFrom.localeCompare(a.validFrom))[0];
}

/** Those of today that were read too long ago: first what is furthest beyond its limit. */
export function olderFacts(facts: readonly Fact[], today: string): Fact[] {
  const beyond = ({ key, checkedOn }: Fact) =>
    -daysUntil(addDays(checkedOn, checkDays(key)), today);
  return FACT_KEYS.flatMap((key) => factOn(facts, key, today) ?? [])
    .filter((fact) => beyond(fact) > 0)
    .sort((a, b) => beyond(b) - beyond(a));
}

export const earlierFacts = (facts: readonly Fact[], key: FactKey, day: string): Fact[] =>
  facts
    .filter((fact) => fact.key === key && fact.validTo !== null && fact.validTo < day)
    .sort((a, b) => a.validFrom.localeCompare(b.validFrom));
