/** The packages, from the slowest to the fastest (specification, section 9). */
export const PACKAGES = ['standard', 'express', 'premium'] as const;
export type Package = (typeof PACKAGES)[number];

export type Currency = 'EUR' | 'USD';

/** An amount of money: whole minor units (cents), since fractions of them do not add up. */
export type Cents = number;

/** The currency of our prices: USD in English, else EUR (specification, section 9). */
export function currencyIn(language: string): Currency {
  return language === 'en' ? 'USD' : 'EUR';
}

/** The cents of an amount as facts hold it (`40.27`); undefined if it is no such amount. */
export function centsOf(decimal: string): Cents | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(decimal) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}

/** An amount as other programs read it: `39.95`. */
export function decimalOf(cents: Cents): string {
  return (cents / 100).toFixed(2);
}
