import type { Answers } from '~/domain/application/answers';
import type { StepNumber } from '~/domain/application/steps';
import { type DemoCase, emailOf } from './people';

/** A day as the form takes it: `name.day`, `name.month`, `name.year`. */
const dated = (name: string, day: string): Answers => {
  const [year = '', month = '', date = ''] = day.split('-');
  return { [`${name}.day`]: date, [`${name}.month`]: month, [`${name}.year`]: year };
};

/** What somebody invented has answered, whole, by step. */
export function demoAnswers(
  { person, photo }: DemoCase,
  days: { issue: string; expiry: string; arrival: string; departure: string },
  [line1, line2]: readonly [string, string],
): Readonly<Record<StepNumber, Answers>> {
  const { first, last, country, city, passport } = person;
  const no = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'no']));
  return {
    1: {
      email: emailOf(person),
      phone: '+49 30 901820',
      phone_type: 'mobile',
      citizenship: country,
      first_name: first,
      last_name: last,
      gender: person.sex === 'F' ? 'female' : 'male',
      ...dated('date_of_birth', person.birth),
      city_of_birth: city,
      country_of_birth: country,
      has_other_names: 'no',
      postal_code: '10115',
    },
    2: {
      passport_number: passport,
      passport_number_confirm: passport,
      passport_issuing_country: country,
      ...dated('passport_issue_date', days.issue),
      ...dated('passport_expiry_date', days.expiry),
      passport_is_electronic: 'yes',
      passport_line_1: line1,
      passport_line_2: line2,
      other_travel_document: 'no',
    },
    3: {
      address_line1: 'Place de l’Exemple 1',
      address_city: city,
      address_country: country,
      parent1_last_name: last,
      parent1_first_name: 'UNKNOWN',
      parent2_last_name: 'UNKNOWN',
      parent2_first_name: 'UNKNOWN',
      ...no('has_other_citizenship', 'had_other_citizenship', 'is_trusted_traveller'),
    },
    4: { social_media_choice: 'no_accounts' },
    5: { has_employer: 'no' },
    6: {
      is_transit: 'no',
      travel_purpose: 'tourism',
      ...dated('arrival_date', days.arrival),
      ...dated('departure_date', days.departure),
      us_contact_name: 'Hotel Example',
      us_contact_address_line1: '222 West 23rd Street',
      us_contact_city: 'New York',
      us_contact_state: 'NY',
      us_contact_phone: '+1 212 483 1010',
      us_address_same: 'yes',
      emergency_last_name: last,
      emergency_first_name: 'Alex',
      emergency_email: 'alex@example.eu',
      emergency_phone: '+49 221 123456',
    },
    7: {
      sensitive_data_consent: 'yes',
      ...no(
        'q_health_condition',
        'q_serious_crime',
        'q_drug_offence',
        'q_security_threat',
        'q_immigration_fraud',
        'q_unauthorised_work',
        'q_visa_refusal',
        'q_overstay',
        'q_restricted_travel_combined',
      ),
    },
    8: {
      review_confirmed: 'yes',
      declaration_true: 'yes',
      waiver_acknowledged: 'yes',
      third_party_authorisation: 'yes',
      ...(photo === false && { photo_later: 'yes' }),
      completed_by: 'self',
      signature_name: `${first} ${last}`,
    },
  };
}
