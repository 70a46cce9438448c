import type { Country } from './country';

export const YES_NO = ['yes', 'no'] as const;
export type YesNo = (typeof YES_NO)[number];

/** `visa_required`: excluded by law. `case_by_case`: an officer decides on the official form. */
export const SEVERITIES = ['visa_required', 'case_by_case'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Question = { key: string; disqualifyingAnswer: YesNo; severity: Severity };

export type EligibilityAnswers = Readonly<Record<string, YesNo>>;

export const OUTCOMES = [
  'eligible',
  'probably_not_eligible',
  'not_eligible',
  'no_esta_needed',
  'other_citizenship',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** All other factors are question keys. */
export const COUNTRY_FACTOR = 'country_not_in_program';

/** Maximum number of questions: more answers may not fit into the visitor's 4 KB cookie. */
export const MAX_QUESTIONS = 50;

/** It is the name of a form field, next to `intent`. */
export const isQuestionKey = (key: string): boolean =>
  /^[a-z][a-z0-9_]{0,39}$/.test(key) && key !== 'intent' && key !== COUNTRY_FACTOR;

export type Assessment = { outcome: Outcome; isEligible: boolean; factors: string[] };

export const openQuestions = <Q extends Pick<Question, 'key'>>(
  questions: readonly Q[],
  answers: EligibilityAnswers,
): Q[] => questions.filter(({ key }) => !Object.hasOwn(answers, key));

function outcomeOutside(country: Country): Outcome {
  const { remark } = country;
  if (remark === 'visa_free' || remark === 'us_citizen') return 'no_esta_needed';
  return remark === 'territory' ? 'other_citizenship' : 'not_eligible';
}

/** Who needs no ESTA, or has another country to choose, has no use for the factor of the country. */
export const isExplainedByFactors = (outcome: Outcome): boolean =>
  outcome === 'not_eligible' || outcome === 'probably_not_eligible';

/** Specification, section 4. Probably not eligible: an officer could still approve all factors. */
export function assessEligibility(
  country: Country,
  questions: readonly Question[],
  answers: EligibilityAnswers,
): Assessment {
  if (!country.isEligible) {
    return { outcome: outcomeOutside(country), isEligible: false, factors: [COUNTRY_FACTOR] };
  }
  const disqualifying = questions.filter(
    ({ key, disqualifyingAnswer }) =>
      Object.hasOwn(answers, key) && answers[key] === disqualifyingAnswer,
  );
  if (disqualifying.length === 0) return { outcome: 'eligible', isEligible: true, factors: [] };
  return {
    outcome: disqualifying.every(({ severity }) => severity === 'case_by_case')
      ? 'probably_not_eligible'
      : 'not_eligible',
    isEligible: false,
    factors: disqualifying.map(({ key }) => key),
  };
}
