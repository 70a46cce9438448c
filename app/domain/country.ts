/** What travellers need to know besides "in the programme" or not; texts in the locales, by name. */
export const COUNTRY_REMARKS = [
  /** Enters without a visa or ESTA under another arrangement (Canada, Bermuda). */
  'visa_free',
  /** Must enter on a US passport. */
  'us_citizen',
  /** Was designated and removed before it took effect (Romania). */
  'designation_rescinded',
  /** Often mistaken for a member because of the European Union (Bulgaria, Cyprus). */
  'never_designated',
  /** A candidate, not a member (Argentina). */
  'candidate',
  /** Only in the separate waiver for Guam (Hong Kong). */
  'separate_waiver',
  /** Has no citizenship of its own: residents usually hold that of `citizenshipCode` (Réunion). */
  'territory',
  'right_of_abode',
  /** Member, but not for "alien" or "non-citizen" passports (Estonia, Latvia). */
  'citizens_only',
  /** Member, only for passports with a national identification number (Taiwan). */
  'national_id',
] as const;

const MEMBER_REMARKS: readonly CountryRemark[] = ['right_of_abode', 'citizens_only', 'national_id'];

export const isOnMember = (remark: CountryRemark): boolean => MEMBER_REMARKS.includes(remark);

export type CountryRemark = (typeof COUNTRY_REMARKS)[number];

export type Country = { code: string; isEligible: boolean; remark: CountryRemark | null };
