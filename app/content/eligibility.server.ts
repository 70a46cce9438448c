import { askDatabase } from '~/database.server';
import { isQuestionKey, MAX_QUESTIONS } from '~/domain/eligibility';
import type { Language } from '~/i18n/languages';
import { log } from '~/log.server';
import { type CountryRow, listCountries } from '~db/queries/countries.server';
import { listQuestions, type QuestionRow } from '~db/queries/questions.server';
import { whileContentLasts } from './state.server';

/** Everything that the eligibility check decides on and speaks of, as the database has it now. */
export interface EligibilityContent {
  /** Sorted as a reader of the language expects. */
  countries: CountryRow[];
  /** Those that are asked today, in their order. */
  questions: QuestionRow[];
  /** With those that have been switched off: a saved assessment may name them. */
  allQuestions: QuestionRow[];
}

/**
 * The countries and questions with their words in `language`, read once for each state of the
 * database.
 *
 * @throws what keeps the database from being read
 */
export const eligibilityContent = whileContentLasts(
  async (language: Language): Promise<EligibilityContent> => {
    const [countries, allQuestions] = await askDatabase(async (db) => [
      await listCountries(db, language),
      await listQuestions(db, language),
    ]);
    const { compare } = new Intl.Collator(language);
    return {
      countries: countries.sort((a, b) => compare(a.name, b.name)),
      questions: usable(allQuestions.filter(({ isActive }) => isActive)),
      allQuestions,
    };
  },
);

/** Leaves out, and logs, questions that no form could ask; the others are asked all the same. */
function usable(questions: QuestionRow[]): QuestionRow[] {
  const asked = questions.filter(({ key }) => isQuestionKey(key)).slice(0, MAX_QUESTIONS);
  const left = questions.filter((question) => !asked.includes(question));
  if (left.length > 0) {
    log('error', 'questions left out: a key of another form, or more than can be asked', {
      keys: left.map(({ key }) => key),
      most: MAX_QUESTIONS,
    });
  }
  return asked;
}
