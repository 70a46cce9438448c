/**
 * Countries whose passports must be valid for the stay only, and not for six months more: the members
 * of the programme in the list "Exemption of the Six-Month Passport Validity Rule" of US Customs and
 * Border Protection, Carrier Liaison Program, 31 January 2024 (publication 3514-1223), as copies of
 * it have it; it names all of them but Brunei. Medium confidence, since it changes: good for a
 * warning only.
 */
export const SIX_MONTH_CLUB: readonly string[] = [
  ...['AD', 'AT', 'AU', 'BE', 'CH', 'CL', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GB', 'GR'],
  ...['HR', 'HU', 'IE', 'IL', 'IS', 'IT', 'JP', 'KR', 'LI', 'LT', 'LU', 'LV', 'MC', 'MT', 'NL'],
  ...['NO', 'NZ', 'PL', 'PT', 'QA', 'SE', 'SG', 'SI', 'SK', 'SM', 'TW'],
];
