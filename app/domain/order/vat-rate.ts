import { basisPoints } from './vat';

interface VatSettings {
  rate: number;
  /** By country of residence (ISO 3166-1 alpha-2). */
  byCountry: Readonly<Record<string, number>>;
  /** By language: why no VAT is charged; null: it is. */
  exempt: Readonly<Partial<Record<string, string>>> | null;
}

export interface VatTerms {
  /** In basis points: 2000 is 20 %. */
  rate: number;
  /** The country whose rate it is; null: the default. */
  country: string | null;
  /** By language: why there is none; null: there is. */
  note: Readonly<Partial<Record<string, string>>> | null;
}

/**
 * The VAT of somebody's order: none where the operator is exempt, whoever buys; the rate of the country
 * of residence where there is one, else the default.
 *
 * @param countryOfResidence null: the traveller has not named one
 */
export function vatOf(vat: VatSettings, countryOfResidence: string | null): VatTerms {
  if (vat.exempt) return { rate: 0, country: null, note: vat.exempt };
  const own = new Map(Object.entries(vat.byCountry)).get(countryOfResidence ?? '');
  if (own === undefined) return { rate: basisPoints(vat.rate), country: null, note: null };
  return { rate: basisPoints(own), country: countryOfResidence, note: null };
}
