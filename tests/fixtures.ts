import type { Language } from '~/i18n/languages';
import { shippedFixtures } from '~db/fixtures.server';

const { vwp_countries, eligibility_questions } = shippedFixtures();

/** A shipped country's name as a reader of the language has it. */
export function countryName(code: string, language: Language): string {
  const row = vwp_countries.find(({ country_code }) => country_code === code);
  if (!row) throw new Error(`There is no country ${code}`);
  return row.translations[language]?.country_name ?? row.country_name;
}

/** What each answer that rules out an ESTA leads to, by the question's key. */
export const OUTCOMES_OF_ANSWERS = Object.fromEntries(
  eligibility_questions.map(({ question_key, severity }) => [
    question_key,
    severity === 'case_by_case' ? 'probably_not_eligible' : 'not_eligible',
  ]),
) as Record<string, 'not_eligible' | 'probably_not_eligible'>;

/** An operator with all that the settings must say of one. */
export const COMPANY = {
  example: false,
  name: 'Passerelle SAS',
  legalForm: 'société par actions simplifiée',
  capital: '10 000 €',
  address: '2 rue du Port, 13002 Marseille, France',
  registration: 'RCS Marseille 111 111 111',
  vatNumber: 'FR11 111111111',
  director: 'Zoë Müller',
  email: 'bonjour@passerelle.example',
  phone: '+33 1 99 00 11 11',
  dataProtectionContact: 'donnees@passerelle.example',
  host: {
    name: 'Hôte SAS',
    address: '4 quai du Port, 13002 Marseille, France',
    phone: '+33 1 99 00 22 22',
  },
  mediator: {
    name: 'Médiation du Port',
    address: '5 quai du Port, 13002 Marseille, France',
    url: 'https://mediation.example/',
  },
};

/** The figures of this firm. */
export const CLAIMS = {
  approvalRate: { percent: 98.4 },
  applications: { count: 1200 },
  processing: { fromHours: 24, toHours: 72 },
  mostPopular: { package: 'express' },
  outcomes: { approved: 85, pending: 10, refused: 5 },
};

/** All that a site needs which travellers reach over https. */
export const OWN_SITE = {
  company: COMPANY,
  filingEmail: 'demandes@passerelle.example',
  claims: CLAIMS,
};
