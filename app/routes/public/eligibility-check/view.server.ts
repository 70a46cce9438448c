import { today } from '~/clock.server';
import { describeAssessment } from '~/content/assessment.server';
import { type EligibilityContent, eligibilityContent } from '~/content/eligibility.server';
import { lowestFee } from '~/content/offer.server';
import { assessEligibility, openQuestions } from '~/domain/eligibility';
import { permittedStep, type WizardStep } from '~/domain/wizard';
import { formatDay } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import type { CountryRow } from '~db/queries/countries.server';
import type { Run } from './run.server';

/**
 * The data that the wizard needs.
 *
 * @throws if there are no countries or no active questions: no result could be given without them
 */
export async function eligibilityData(language: Language): Promise<EligibilityContent> {
  const content = await eligibilityContent(language);
  if (content.countries.length === 0) throw new Error('The table vwp_countries is empty');
  if (content.questions.length === 0) {
    throw new Error('The table eligibility_questions has no active row');
  }
  return content;
}

/** The chosen country of a run, if it is still in the list. */
export function chosenCountry({ countries }: EligibilityContent, run: Run | undefined) {
  return countries.find(({ code }) => code === run?.country);
}

/** The step this run may see when it requests `requested`. */
export function stepFor(
  requested: WizardStep,
  data: EligibilityContent,
  run: Run | undefined,
): WizardStep {
  return permittedStep(requested, {
    countryEligible: chosenCountry(data, run)?.isEligible ?? null,
    submitted: run?.submitted ?? false,
    complete: openQuestions(data.questions, run?.answers ?? {}).length === 0,
  });
}

/** The view model of a step; the result is always recalculated from the answers. */
export function viewOf(step: WizardStep, data: EligibilityContent, run: Run, language: Language) {
  const country = chosenCountry(data, run);
  if (step === 'country' || !country) return countryView(data, country, language);
  if (step === 'questions') return questionsView(data, country, run, language);
  return resultView(data, country, run, language);
}

function countryView(data: EligibilityContent, chosen: CountryRow | undefined, language: Language) {
  return {
    step: 'country' as const,
    title: translator(language)('eligibility:country.title'),
    chosen: chosen?.code ?? '',
    countries: data.countries.map(({ code, name, aliases }) => ({ code, name, aliases })),
  };
}

function questionsView(
  data: EligibilityContent,
  country: CountryRow,
  run: Run,
  language: Language,
) {
  return {
    step: 'questions' as const,
    title: translator(language)('eligibility:questions.title'),
    country: country.name,
    answers: run.answers,
    questions: data.questions.map(
      ({ key, disqualifyingAnswer, text, hint, explanation, language: ofTexts }) => ({
        key,
        disqualifyingAnswer,
        text,
        hint,
        explanation,
        // As an attribute of the texts, which is not needed where it says what the page says.
        ...(ofTexts !== language && { language: ofTexts }),
      }),
    ),
  };
}

function resultView(data: EligibilityContent, country: CountryRow, run: Run, language: Language) {
  const assessment = describeAssessment(
    data,
    { ...assessEligibility(country, data.questions, run.answers), countryCode: country.code },
    language,
  );
  return {
    step: 'result' as const,
    skipped: country.isEligible ? null : ('questions' as const),
    retentionDays: siteSettings().assessmentDays,
    date: formatDay(today(), language),
    price: lowestFee(language),
    title: translator(language)(`eligibility:result.${assessment.outcome}.title`),
    assessment,
  };
}

type View = ReturnType<typeof viewOf>;
export type CountryView = Extract<View, { step: 'country' }>;
export type QuestionsView = Extract<View, { step: 'questions' }>;
export type ResultView = Extract<View, { step: 'result' }>;
