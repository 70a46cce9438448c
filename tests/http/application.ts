import type { AllAnswers, Answers } from '~/domain/application/answers';
import type { Language } from '~/i18n/languages';
import { typed, untyped } from '../domain/application/full';
import type { Site } from '../production-server';
import { Reader } from './reader';

/** A traveller's answers to the first seven steps: every field that can be shown beside the others. */
const ANSWERS: Record<number, Answers> = {
  1: {
    ...{ email: 'anna.mueller@example.eu', phone: '+49 30 901820', phone_type: 'mobile' },
    ...{ citizenship: 'DE', first_name: 'Anna Zoé', last_name: 'Müller-Lüdenscheidt' },
    ...{ gender: 'female', city_of_birth: 'Köln', country_of_birth: 'DE', postal_code: '50667' },
    ...typed('date_of_birth', '1984-02-29'),
    'date_of_birth.month': 'Februar',
    ...{ has_other_names: 'yes', other_names: 'Anna Zoé Schmidt\nAnna Becker' },
  },
  2: {
    ...{ passport_number: 'C01X00T47', passport_number_confirm: 'C01X 00T47' },
    ...{ passport_issuing_country: 'DE', passport_is_electronic: 'yes' },
    ...typed('passport_issue_date', '2021-03-01'),
    ...typed('passport_expiry_date', '2031-02-28'),
    ...{ passport_line_1: '', passport_line_2: '', other_travel_document: 'yes' },
    'other_documents[0].country': 'CH',
    'other_documents[0].document_type': 'national_id_card',
    'other_documents[0].number': 'UNKNOWN',
    'other_documents[0].expiry_year': '2019',
  },
  3: {
    ...{ address_line1: 'Domkloster 4', address_line2: 'c/o Becker', address_apartment: '12' },
    ...{ address_city: 'Köln', address_region: 'Nordrhein-Westfalen', address_country: 'DE' },
    ...{ parent1_last_name: 'Müller', parent1_first_name: 'Łukasz' },
    ...{ parent2_last_name: 'Nguyễn', parent2_first_name: 'UNKNOWN' },
    ...{ has_other_citizenship: 'yes', had_other_citizenship: 'yes' },
    'other_citizenships[0].country': 'CH',
    'other_citizenships[0].acquired_by': 'parents',
    'former_citizenships[0].country': 'PL',
    'former_citizenships[0].from_year': '1984',
    'former_citizenships[0].to_year': '1999',
    ...{ is_trusted_traveller: 'yes', trusted_traveller_number: '123456789' },
  },
  4: {
    social_media_choice: 'yes',
    'social_accounts[0].platform': 'other',
    'social_accounts[0].platform_other': 'Mastodon',
    'social_accounts[0].identifier': '@anna@example.eu',
  },
  5: {
    ...{ has_employer: 'yes', employer_name: 'Kölner Dombauhütte', job_title: 'Steinmetzin' },
    ...{ employer_address_line1: 'Roncalliplatz 2', employer_address_line2: 'Hof' },
    ...{ employer_city: 'Köln', employer_region: 'NRW', employer_country: 'DE' },
    employer_phone: '+49 221 17940300',
  },
  6: {
    ...{ is_transit: 'no', travel_purpose: 'tourism' },
    ...{ ...untyped('arrival_date'), ...untyped('departure_date') },
    ...{ us_contact_name: 'Hotel Chelsea', us_contact_phone: '+1 212 483 1010' },
    ...{ us_contact_address_line1: '222 West 23rd Street', us_contact_address_line2: 'Room 211' },
    ...{ us_contact_city: 'New York', us_contact_state: 'NY', us_address_same: 'no' },
    ...{ us_address_line1: '11 Wall Street', us_address_city: 'New York' },
    ...{ us_address_state: 'NY', us_address_zip: '10005' },
    ...{ emergency_last_name: 'Becker', emergency_first_name: 'Jörg' },
    ...{ emergency_email: 'joerg.becker@example.eu', emergency_phone: '+49 221 123456' },
  },
  7: {
    ...{ sensitive_data_consent: 'yes', eligibility_comment: 'Kein Anlass.' },
    ...{ q_health_condition: 'no', q_serious_crime: 'no', q_drug_offence: 'no' },
    ...{ q_security_threat: 'no', q_immigration_fraud: 'no', q_unauthorised_work: 'no' },
    ...{ q_visa_refusal: 'no', q_overstay: 'no', q_restricted_travel_combined: 'no' },
  },
};

/** Answers without an error on any day of 2026 to 2030; in `changes`, undefined takes one out. */
export function sampleAnswers(
  step: number,
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const all = Object.entries({ ...ANSWERS[step], ...changes });
  return Object.fromEntries(all.filter((one): one is [string, string] => one[1] !== undefined));
}

export const allSamples = (changes: Record<number, Answers> = {}): AllAnswers =>
  Object.fromEntries(Object.keys(ANSWERS).map((n) => [n, sampleAnswers(+n, changes[+n])]));

export function hiddenFields(reader: Reader): Record<string, string> {
  const inputs = reader.form?.all('input').filter((one) => one.get('type') === 'hidden') ?? [];
  return Object.fromEntries(
    inputs.map((input) => [input.get('name') ?? '', input.get('value') ?? '']),
  );
}

export const shownIn = (reader: Reader, names: string[]): Record<string, string | undefined> =>
  Object.fromEntries(names.map((name) => [name, shownAs(reader, name)]));

export function shownAs(reader: Reader, name: string): string | undefined {
  const controls = reader.page
    .all('input', 'select', 'textarea')
    .filter((one) => one.get('name') === name);
  const [first] = controls;
  if (/^(radio|checkbox)$/.test(first?.get('type') ?? '')) {
    return controls.find((one) => one.has('checked'))?.get('value') ?? '';
  }
  if (first?.name === 'textarea') return first.children.map(String).join('');
  if (first?.name !== 'select') return first?.get('value');
  const chosen = first.all('option').find((option) => option.has('selected'));
  return chosen?.get('value') ?? '';
}

export async function sendAnswers(
  reader: Reader,
  answers: Readonly<Record<string, string>>,
  intent = 'continue',
): Promise<void> {
  await reader.send(reader.address, { ...hiddenFields(reader), ...answers, intent });
}

/** Fills in the sample by the forms of the pages, up to a step. @returns `/application/{id}` */
export async function fillApplication(
  reader: Reader,
  upTo = 7,
  changes: Readonly<Record<number, Readonly<Record<string, string | undefined>>>> = {},
): Promise<string> {
  await reader.go('/application/new/step-1?another');
  for (let step = 1; step <= upTo; step += 1) {
    await sendAnswers(reader, sampleAnswers(step, changes[step]));
    await leadsOn(reader, step);
  }
  return applicationPath(reader);
}

/** Sees that a step was taken; the pictures that stand before the last one are left for later. */
export async function leadsOn(reader: Reader, step: number): Promise<void> {
  const next = step === 7 ? '/passport-photo?return=check' : `/step-${step + 1}`;
  if (!reader.address.endsWith(next)) {
    throw new Error(`Step ${step} leads to ${reader.address}: ${reader.announced('alert')}`);
  }
  if (step === 7) await reader.go(`${applicationPath(reader)}/step-8`);
}

/** What somebody ticks and types who travels and fills in the form alone, without a photo at hand. */
export const STATEMENTS = {
  review_confirmed: 'yes',
  declaration_true: 'yes',
  waiver_acknowledged: 'yes',
  third_party_authorisation: 'yes',
  photo_later: 'yes',
  completed_by: 'self',
  signature_name: 'Anna Zoé Müller-Lüdenscheidt',
};

export const ORDER = {
  package: 'standard',
  start_choice: 'now',
  email: 'anna.mueller@example.eu',
  not_government_acknowledged: 'yes',
  terms: 'yes',
};

export async function filledIn(
  { origin }: Pick<Site, 'origin'>,
  upTo = 7,
  changes: Parameters<typeof fillApplication>[2] = {},
  language: Language = 'en',
) {
  const reader = await Reader.open(origin, '/', language);
  const path = await fillApplication(reader, upTo, changes);
  return { reader, path, id: path.split('/').at(-1) ?? '' };
}

export async function certified(site: Pick<Site, 'origin'>, language?: Language) {
  const one = await filledIn(site, 7, {}, language);
  await sendAnswers(one.reader, STATEMENTS);
  return { ...one, page: `${one.path}/payment` };
}

export function photoForm(
  bytes: Uint8Array | undefined,
  { name = 'Pass.jpg', type = 'image/jpeg', intent = 'upload' } = {},
): { method: string; body: FormData } {
  const body = new FormData();
  const file = new Blob([new Uint8Array(bytes ?? [])], { type });
  if (intent === 'upload') body.set('photo', file, bytes ? name : '');
  body.set('intent', intent);
  return { method: 'POST', body };
}

export const applicationPath = (reader: Reader): string => reader.address.replace(/\/[^/]*$/, '');
