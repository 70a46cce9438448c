import type { AllAnswers, Answers } from '~/domain/application/answers';
import {
  type StepInput,
  validateStep,
  type Warning,
  warningsOf,
} from '~/domain/application/validate-step';
import { type StepNumber, STEPS } from '~/domain/application/steps';

export const TODAY = '2026-11-22';

export const LISTS = {
  countries: ['AR', 'BN', 'CA', 'CH', 'CU', 'DE', 'FR', 'GB', 'IR', 'JP', 'NL', 'TR', 'US', 'VN'],
  programme_countries: ['BN', 'CH', 'DE', 'FR', 'GB', 'JP', 'NL'],
  us_states: ['CA', 'NY', 'PR'],
};

/** A day as it is typed: `1990-05-04` gives the parts 4, 5 and 1990. */
export function typed(name: string, day: string): Answers {
  const [year = '', month = '', date = ''] = day.split('-');
  return {
    [`${name}.day`]: String(Number(date)),
    [`${name}.month`]: String(Number(month)),
    [`${name}.year`]: year,
  };
}

export function untyped(name: string): Answers {
  return { [`${name}.day`]: '', [`${name}.month`]: '', [`${name}.year`]: '' };
}

const YES_OR_NO = [
  ...['health_condition', 'serious_crime', 'drug_offence', 'security_threat'],
  ...['immigration_fraud', 'unauthorised_work', 'visa_refusal', 'overstay'],
];

/** A valid answer to every field that a French traveller may see, those that are hidden by it as well. */
export const FULL = {
  1: {
    ...{ email: 'marie.dupont@example.com', phone: '+33 6 12 34 56 78', phone_type: 'mobile' },
    ...{ citizenship: 'FR', first_name: 'Marie', last_name: 'Dupont', gender: 'female' },
    ...typed('date_of_birth', '1990-05-04'),
    ...{ city_of_birth: 'Lyon', country_of_birth: 'FR', has_other_names: 'yes' },
    ...{ other_names: 'Marie Martin\nMimi', postal_code: '69001' },
  },
  2: {
    ...{ passport_number: '12AB34567', passport_number_confirm: '12ab 34567' },
    passport_issuing_country: 'FR',
    ...typed('passport_issue_date', '2022-03-01'),
    ...typed('passport_expiry_date', '2032-02-29'),
    ...{ passport_is_electronic: 'yes', passport_line_1: 'P<FRADUPONT<<MARIE' },
    ...{ other_travel_document: 'yes', 'other_documents[0].country': 'CH' },
    'other_documents[0].document_type': 'national_id_card',
    ...{ 'other_documents[0].number': 'C1234567', 'other_documents[0].expiry_year': '2030' },
  },
  3: {
    ...{ address_line1: '12, rue de la République', address_line2: 'Bât. B' },
    ...{ address_apartment: '4 #2', address_city: 'Lyon', address_region: 'Rhône' },
    ...{ address_country: 'FR', parent1_last_name: 'Dupont', parent1_first_name: 'Jean' },
    ...{ parent2_last_name: 'Martin', parent2_first_name: 'Anne', has_other_citizenship: 'yes' },
    ...{ 'other_citizenships[0].country': 'CH', 'other_citizenships[0].acquired_by': 'birth' },
    ...{ had_other_citizenship: 'yes', 'former_citizenships[0].country': 'DE' },
    ...{ 'former_citizenships[0].from_year': '1995', 'former_citizenships[0].to_year': '2001' },
    ...{ is_trusted_traveller: 'yes', trusted_traveller_number: '123456789' },
  },
  4: {
    ...{ social_media_choice: 'yes', 'social_accounts[0].platform': 'other' },
    'social_accounts[0].platform_other': 'Mastodon',
    'social_accounts[0].identifier': '@marie@example.social',
  },
  5: {
    ...{ has_employer: 'yes', employer_name: 'Müller & Söhne', job_title: 'Engineer' },
    ...{ employer_address_line1: 'Hauptstraße 1', employer_address_line2: '2nd floor' },
    ...{ employer_city: 'Köln', employer_region: 'NRW', employer_country: 'DE' },
    employer_phone: '0221 123456',
  },
  6: {
    ...{ is_transit: 'no', travel_purpose: 'tourism' },
    ...typed('arrival_date', '2027-02-01'),
    ...typed('departure_date', '2027-02-15'),
    ...{ transit_destination: 'Toronto', us_contact_name: 'Hotel Bristol' },
    ...{ us_contact_address_line1: '1 Main St', us_contact_address_line2: 'Suite 5' },
    ...{ us_contact_city: 'New York', us_contact_state: 'NY', us_contact_phone: '+1 212 555 0100' },
    ...{ us_address_same: 'no', us_address_line1: '2 Main St', us_address_city: 'Albany' },
    ...{ us_address_state: 'NY', us_address_zip: '12207-1234', emergency_last_name: 'Dupont' },
    ...{ emergency_first_name: 'Jean', emergency_email: 'jean@example.com' },
    emergency_phone: '+33 1 23 45 67 89',
  },
  7: {
    sensitive_data_consent: 'yes',
    ...Object.fromEntries(YES_OR_NO.map((question) => [`q_${question}`, 'no'])),
    ...{ q_restricted_travel_combined: 'yes', 'restricted_trips[0].country': 'CU' },
    ...typed('restricted_trips[0].from_date', '2015-01-02'),
    ...typed('restricted_trips[0].to_date', '2015-01-20'),
    'restricted_trips[0].reason': 'tourism',
    eligibility_comment: 'A holiday.\nTwo weeks < three.',
  },
  8: {
    ...{ review_confirmed: 'yes', declaration_true: 'yes', waiver_acknowledged: 'yes' },
    ...{ third_party_authorisation: 'yes', photo_later: 'yes', completed_by: 'other' },
    ...{ completed_by_name: 'Jean Dupont', completed_by_relation: 'partner' },
    ...{ applicant_is_minor_guardian: 'Jean Dupont', signature_name: 'Marie Dupont' },
  },
} as const satisfies Record<StepNumber, Answers>;

export type Changes = Partial<Record<StepNumber, Answers>>;

/** What a step is judged in: all of `FULL`, with changes. */
export function contextOf(changes: Changes = {}, more: Partial<StepInput> = {}): StepInput {
  const all: AllAnswers = Object.fromEntries(
    STEPS.map(({ number }) => [number, { ...FULL[number], ...changes[number] }]),
  );
  const usual = {
    today: TODAY,
    lists: LISTS,
    isSocialMediaRequired: false,
    isPortraitRequired: true,
    hasPhoto: false,
  };
  return { ...usual, all, ...more };
}

/** The step of a field, or of a column of its rows. */
export const stepOf = (name: string): StepNumber =>
  STEPS.find(({ fields }) => fields.some((field) => field.name === name.split('[')[0]))!.number;

export function verdict(number: StepNumber, changes?: Changes, more?: Partial<StepInput>) {
  const context = contextOf(changes, more);
  return validateStep(STEPS[number - 1]!, context.all[number] ?? {}, context);
}

export const errorsOf = (number: StepNumber, answers: Answers, more: Partial<StepInput> = {}) =>
  verdict(number, { [number]: answers }, more).errors;

export function warnings(changes: Changes = {}, more: Partial<StepInput> = {}): Warning[] {
  const context = contextOf(changes, more);
  return STEPS.flatMap((step) => warningsOf(step, context));
}
