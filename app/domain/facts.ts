/** The official facts shown on pages; their values are in the table `facts`. */
export const FACT_KEYS = [
  'esta_fee_total',
  'esta_fee_if_refused',
  'esta_validity',
  'max_stay',
  'official_processing_up_to',
  'apply_before_travel',
  'social_media_required',
  'official_payment',
  'vwp_country_count',
] as const;
export type FactKey = (typeof FACT_KEYS)[number];

/** A fact for one period. Dates are `yyyy-MM-dd`, first and last day included. */
export interface Fact {
  key: FactKey;
  value: string;
  /** USD, months, days, hours, countries, … */
  unit: string;
  validFrom: string;
  /** Null: still valid at the last check. */
  validTo: string | null;
  sourceTitle: string;
  sourceUrl: string;
  checkedOn: string;
}

/** The row of a fact that is valid on a day (`yyyy-MM-dd`); undefined if there is none. */
export function factOn(facts: readonly Fact[], key: FactKey, day: string): Fact | undefined {
  return facts
    .filter((fact) => fact.key === key && fact.validFrom <= day)
    .filter(({ validTo }) => validTo === null || day <= validTo)
    .sort((a, b) => b.validFrom.localeCompare(a.validFrom))[0];
}

/** The rows of a fact that expired before a day (`yyyy-MM-dd`), oldest first. */
export function earlierFacts(facts: readonly Fact[], key: FactKey, day: string): Fact[] {
  return facts
    .filter((fact) => fact.key === key && fact.validTo !== null && fact.validTo < day)
    .sort((a, b) => a.validFrom.localeCompare(b.validFrom));
}
