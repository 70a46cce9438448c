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
