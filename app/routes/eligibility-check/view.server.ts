import { describeAssessment } from '~/content/assessment.server';
import { whileContentLasts } from '~/content/state.server';
import { askDatabase } from '~/database.server';
import {
  assessEligibility,
  isQuestionKey,
  MAX_QUESTIONS,
  openQuestions,
} from '~/domain/eligibility';
import { permittedStep, type WizardStep } from '~/domain/wizard';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { log } from '~/log.server';
import { siteSettings } from '~/settings/settings.server';
import { type CountryRow, listCountries } from '../../../db/queries/countries.server';
import { listActiveQuestions, type QuestionRow } from '../../../db/queries/questions.server';
import type { Run } from './run.server';

/** Everything that the wizard's rules decide on, as the database has it now. */
export interface EligibilityData {
  countries: CountryRow[];
  questions: QuestionRow[];
}

/**
 * Reads the countries, sorted as a reader of `language` expects, and the questions.
 *
 * @throws if either is missing: without them nobody can be told a result
 */
export const eligibilityData = whileContentLasts(
  async (language: Language): Promise<EligibilityData> => {
    const { countries, questions } = await askDatabase(async (db) => ({
      countries: await listCountries(db, language),
      questions: await listActiveQuestions(db, language),
    }));
    if (countries.length === 0) throw new Error('The table vwp_countries is empty');
    if (questions.length === 0)
      throw new Error('The table eligibility_questions has no active row');
    const collator = new Intl.Collator(language);
    return {
      countries: countries.sort((a, b) => collator.compare(a.name, b.name)),
      questions: usable(questions),
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

/** The country that a run has chosen, if it is one of the list. */
export function chosenCountry({ countries }: EligibilityData, run: Run | undefined) {
  return countries.find(({ code }) => code === run?.country);
}

/** The step that this run may see when it asks for another. */
export function stepFor(
  requested: WizardStep,
  data: EligibilityData,
  run: Run | undefined,
): WizardStep {
  return permittedStep(requested, {
    countryEligible: chosenCountry(data, run)?.isEligible ?? null,
    submitted: run?.submitted ?? false,
    complete: openQuestions(data.questions, run?.answers ?? {}).length === 0,
  });
}

/** What a step shows: plain data with its words, the result computed anew from the answers. */
export async function viewOf(
  step: WizardStep,
  data: EligibilityData,
  run: Run,
  language: Language,
) {
  const country = chosenCountry(data, run);
  if (step === 'country' || !country) return countryView(data, country, language);
  if (step === 'questions') return questionsView(data, country, run, language);
  return resultView(data, country, run, language);
}

function countryView(data: EligibilityData, chosen: CountryRow | undefined, language: Language) {
  return {
    step: 'country' as const,
    title: translator(language)('eligibility:country.title'),
    chosen: chosen?.code ?? '',
    countries: data.countries.map(({ code, name, aliases }) => ({ code, name, aliases })),
  };
}

function questionsView(data: EligibilityData, country: CountryRow, run: Run, language: Language) {
  return {
    step: 'questions' as const,
    title: translator(language)('eligibility:questions.title'),
    country: country.name,
    answers: run.answers,
    questions: data.questions.map(({ rule, ...question }) => question),
  };
}

async function resultView(
  data: EligibilityData,
  country: CountryRow,
  run: Run,
  language: Language,
) {
  const found = assessEligibility(country, data.questions, run.answers);
  const assessment = await askDatabase((db) =>
    describeAssessment(db, { ...found, countryCode: country.code }, language),
  );
  return {
    step: 'result' as const,
    retentionDays: siteSettings().assessmentDays,
    title: translator(language)(`eligibility:result.${assessment.outcome}.title`),
    assessment,
  };
}

type View = Awaited<ReturnType<typeof viewOf>>;
export type CountryView = Extract<View, { step: 'country' }>;
export type QuestionsView = Extract<View, { step: 'questions' }>;
export type ResultView = Extract<View, { step: 'result' }>;
