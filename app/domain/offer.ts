/** The packages, slowest first (specification, section 9). */
export const PACKAGES = ['standard', 'express', 'premium'] as const;
export type Package = (typeof PACKAGES)[number];

export type Currency = 'EUR' | 'USD';

/** An amount of money in whole cents: fractions would not add up exactly. */
export type Cents = number;

export function centsOf(decimal: string): Cents | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(decimal) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}

/** A price that nobody means: an owner cannot have it, and `npm run check` warns of it. */
export const isOddPrice = (cents: Cents): boolean => !(cents >= 100 && cents <= 100_000);

export const decimalOf = (cents: Cents): string => (cents / 100).toFixed(2);
