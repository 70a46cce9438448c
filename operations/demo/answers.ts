import type { Answers } from '~/domain/application/answers';
import type { StepNumber } from '~/domain/application/steps';
import alike from './answers.json' with { type: 'json' };
import { type DemoCase, emailOf } from './people';

const dated = (name: string, day: string): Answers => {
  const [year = '', month = '', date = ''] = day.split('-');
  return { [`${name}.day`]: date, [`${name}.month`]: month, [`${name}.year`]: year };
};

/** What somebody invented has answered, whole, by step; in answers.json what all say alike. */
export function demoAnswers(
  { person, photo }: DemoCase,
  days: { issue: string; expiry: string; arrival: string; departure: string },
  [line1, line2]: readonly [string, string],
): Readonly<Record<StepNumber, Answers>> {
  const { first, last, country, city, passport } = person;
  return {
    1: {
      ...alike[1],
      email: emailOf(person),
      citizenship: country,
      first_name: first,
      last_name: last,
      gender: person.sex === 'F' ? 'female' : 'male',
      ...dated('date_of_birth', person.birth),
      city_of_birth: city,
      country_of_birth: country,
    },
    2: {
      ...alike[2],
      passport_number: passport,
      passport_number_confirm: passport,
      passport_issuing_country: country,
      ...dated('passport_issue_date', days.issue),
      ...dated('passport_expiry_date', days.expiry),
      passport_line_1: line1,
      passport_line_2: line2,
    },
    3: { ...alike[3], address_city: city, address_country: country, parent1_last_name: last },
    4: alike[4],
    5: alike[5],
    6: {
      ...alike[6],
      ...dated('arrival_date', days.arrival),
      ...dated('departure_date', days.departure),
      emergency_last_name: last,
    },
    7: alike[7],
    8: {
      ...alike[8],
      ...(photo === false && { photo_later: 'yes' }),
      signature_name: `${first} ${last}`,
    },
  };
}
