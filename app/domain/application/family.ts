import { type AllAnswers, baseName } from './answers';
import type { StepNumber } from './steps';

/** What people who travel together have in common; never name, birth, passport, health. */
export const SHARED: Readonly<Partial<Record<StepNumber, readonly string[]>>> = {
  1: ['email', 'phone', 'phone_type', 'postal_code'],
  3: [
    ...['address_line1', 'address_line2', 'address_apartment'],
    ...['address_city', 'address_region', 'address_country'],
  ],
  4: ['social_media_choice', 'social_accounts'],
  6: [
    ...['is_transit', 'travel_purpose', 'arrival_date', 'departure_date', 'transit_destination'],
    ...['us_contact_name', 'us_contact_address_line1', 'us_contact_address_line2'],
    ...['us_contact_city', 'us_contact_state', 'us_contact_phone', 'us_address_same'],
    ...['us_address_line1', 'us_address_city', 'us_address_state', 'us_address_zip'],
    ...['emergency_last_name', 'emergency_first_name', 'emergency_email', 'emergency_phone'],
  ],
};

export function copyForFamily(all: AllAnswers): AllAnswers {
  const copied = Object.entries(SHARED).flatMap(([step, names]) => {
    const isShared = ([name]: [string, string]) => names.includes(baseName(name));
    const own = Object.entries(all[Number(step) as StepNumber] ?? {});
    const answers = Object.fromEntries(own.filter(isShared));
    return Object.keys(answers).length > 0 ? [[step, answers]] : [];
  });
  return Object.fromEntries(copied) as AllAnswers;
}
