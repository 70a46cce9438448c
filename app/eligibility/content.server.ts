import { type CountryRow, listCountries } from '~db/queries/countries.server';
import { listQuestions, type QuestionRow } from '~db/queries/questions.server';
import { cachedByContentVersion, logContentProblem } from '~/content-version.server';
import { databaseErrorFields, queryDatabase } from '../database.server';
import { isQuestionKey, MAX_QUESTIONS } from '../domain/eligibility';
import type { Language } from '../i18n/languages';
import { log } from '../log.server';

export interface EligibilityContent {
  countries: CountryRow[];
  questions: QuestionRow[];
  /** Includes inactive questions: a saved assessment may refer to them. */
  allQuestions: QuestionRow[];
}

export const eligibilityContent = cachedByContentVersion(async (language: Language) => {
  const [countries, allQuestions] = await queryDatabase(async (db) => [
    await listCountries(db, language),
    await listQuestions(db, language),
  ]);
  for (const { code, aliasesAreList } of countries) {
    if (!aliasesAreList) {
      logContentProblem({
        event: 'the aliases of a country are no list of words',
        table: 'vwp_country_translations',
        code,
        language,
      });
    }
  }
  const { compare } = new Intl.Collator(language);
  return {
    countries: countries.sort((a, b) => compare(a.name, b.name)),
    questions: usable(allQuestions.filter(({ isActive }) => isActive)),
    allQuestions,
  };
});

export type CountryOption = Pick<CountryRow, 'code' | 'name'>;

export async function countriesIfRead(language: Language): Promise<CountryRow[] | undefined> {
  try {
    return (await eligibilityContent(language)).countries;
  } catch (error) {
    log('error', 'countries cannot be read', databaseErrorFields(error));
    return undefined;
  }
}

export const countryOptions = async (language: Language) =>
  (await countriesIfRead(language))?.map(({ code, name }) => ({ code, name }));

/** Skips and logs questions that the form cannot show; the others are still asked. */
function usable(questions: QuestionRow[]): QuestionRow[] {
  const asked = questions.filter(({ key }) => isQuestionKey(key)).slice(0, MAX_QUESTIONS);
  const left = questions.filter((question) => !asked.includes(question));
  if (left.length > 0) {
    logContentProblem({
      event: 'questions left out: a key of another form, or more than can be asked',
      table: 'eligibility_questions',
      keys: left.map(({ key }) => key),
      most: MAX_QUESTIONS,
    });
  }
  return asked;
}
