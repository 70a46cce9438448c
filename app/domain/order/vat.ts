import type { Cents } from '~/domain/offer';

/** Net and VAT are the gross amount, to the cent. */
export type VatSplit = { net: Cents; vat: Cents; gross: Cents };

const WHOLE = 10_000;

/** Half a cent is rounded up (Directive 2006/112/EC leaves it open). @param rate in basis points */
export function splitVat(gross: Cents, rate: number): VatSplit {
  const divisor = WHOLE + rate;
  // Whole numbers all the way: twice the fraction, and one half more.
  const vat = Math.floor((2 * gross * rate + divisor) / (2 * divisor));
  return { net: gross - vat, vat, gross };
}

export const basisPoints = (percent: number): number => Math.round(percent * 100);

interface VatSettings {
  rate: number;
  byCountry: Readonly<Record<string, number>>;
  /** By language: why no VAT is charged; null: it is. */
  exempt: Readonly<Partial<Record<string, string>>> | null;
}

export interface VatTerms {
  rate: number;
  country: string | null;
  /** By language: why there is none; null: there is. */
  note: Readonly<Partial<Record<string, string>>> | null;
}

/** Exempt operators charge none, whoever buys. @param country null: none was named */
export function vatOf(vat: VatSettings, country: string | null): VatTerms {
  if (vat.exempt) return { rate: 0, country: null, note: vat.exempt };
  const own = new Map(Object.entries(vat.byCountry)).get(country ?? '');
  if (own === undefined) return { rate: basisPoints(vat.rate), country: null, note: null };
  return { rate: basisPoints(own), country: country, note: null };
}
