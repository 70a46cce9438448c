/**
 * What a traveller from a country has to know beside "in the programme" or "not in it". The
 * sentences stand in the locales, under the same names.
 */
export const COUNTRY_REMARKS = [
  /** Enters without visa and without ESTA under another arrangement (Canada, Bermuda). */
  'visa_free',
  /** Must enter on a US passport. */
  'us_citizen',
  /** Was named a member and removed before it took effect (Romania). */
  'designation_rescinded',
  /** Often taken for a member because of the European Union (Bulgaria, Cyprus). */
  'never_designated',
  /** A candidate, not a member (Argentina). */
  'candidate',
  /** In the separate waiver for Guam only (Hong Kong). */
  'separate_waiver',
  /** No citizenship of its own: its people usually hold that of `citizenshipCode` (Réunion). */
  'territory',
  /** Member, for British citizens with the right of abode only. */
  'right_of_abode',
  /** Member, but not for "alien" or "non-citizen" passports (Estonia, Latvia). */
  'citizens_only',
  /** Member, for passports with a national identification number (Taiwan). */
  'national_id',
] as const;

export type CountryRemark = (typeof COUNTRY_REMARKS)[number];

/** A country of citizenship, as the rules need it. */
export interface Country {
  /** ISO 3166-1 alpha-2, upper case. */
  code: string;
  /** Takes part in the Visa Waiver Program. */
  isEligible: boolean;
  remark: CountryRemark | null;
}

/** True for citizens who need neither an ESTA nor, as a rule, a visa (specification, section 4). */
export function needsNoEsta(country: Country): boolean {
  return country.remark === 'visa_free' || country.remark === 'us_citizen';
}
