import type { Cents } from '../offer';

/** A price taken apart; net and VAT are the gross amount, to the cent. */
export interface VatSplit {
  net: Cents;
  vat: Cents;
  gross: Cents;
}

/** All of a rate, in basis points. */
const WHOLE = 10_000;

/**
 * Takes the VAT out of a price that contains it, rounded half up to the cent (Directive 2006/112/EC
 * leaves rounding to the member states; French tax law rounds to the nearest cent).
 *
 * @param gross whole cents, VAT included
 * @param rate in basis points: 2000 is 20 %; 0: there is none
 */
export function splitVat(gross: Cents, rate: number): VatSplit {
  const divisor = WHOLE + rate;
  // Whole numbers all the way: twice the fraction, and one half more.
  const vat = Math.floor((2 * gross * rate + divisor) / (2 * divisor));
  return { net: gross - vat, vat, gross };
}

/** A rate of the settings, in percent with two decimals at most, in basis points. */
export function basisPoints(percent: number): number {
  return Math.round(percent * 100);
}
