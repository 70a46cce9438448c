import { type Country, needsNoEsta } from './country';

export const YES_NO = ['yes', 'no'] as const;
export type YesNo = (typeof YES_NO)[number];

/** `visa_required`: excluded by rule. `case_by_case`: an officer decides on the official form. */
export const SEVERITIES = ['visa_required', 'case_by_case'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** An eligibility question, as the rules need it. */
export interface Question {
  key: string;
  disqualifyingAnswer: YesNo;
  severity: Severity;
}

/** Answers by question key; a question that is not in it is open. */
export type Answers = Readonly<Record<string, YesNo>>;

export const OUTCOMES = [
  'eligible',
  'probably_not_eligible',
  'not_eligible',
  'no_esta_needed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The factor of a country outside the Visa Waiver Program; other factors are question keys. */
export const COUNTRY_FACTOR = 'country_not_in_program';

/** The most questions that are asked: more answers may not fit the visitor's cookie of 4 KB. */
export const MAX_QUESTIONS = 50;

/** Whether a text can be a question's key: it names a form field beside the buttons' `intent`. */
export function isQuestionKey(key: string): boolean {
  return /^[a-z][a-z0-9_]{0,39}$/.test(key) && key !== 'intent' && key !== COUNTRY_FACTOR;
}

export interface Assessment {
  outcome: Outcome;
  isEligible: boolean;
  /** What speaks against an ESTA: question keys in the order asked, or the country factor alone. */
  factors: string[];
}

/** The questions without an answer, in the order asked. */
export function openQuestions<Q extends Question>(questions: readonly Q[], answers: Answers): Q[] {
  return questions.filter(({ key }) => !Object.hasOwn(answers, key));
}

/** Whether the answer to a question speaks against an ESTA (specification, section 5). */
export function isDisqualifying(question: Question, answers: Answers): boolean {
  return (
    Object.hasOwn(answers, question.key) && answers[question.key] === question.disqualifyingAnswer
  );
}

/**
 * The result of the eligibility check (specification, section 4): a country outside the programme
 * is the single factor; else every disqualifying answer is one. If an officer could still decide
 * otherwise on each of them, the outcome says "probably".
 */
export function assessEligibility(
  country: Country,
  questions: readonly Question[],
  answers: Answers,
): Assessment {
  if (!country.isEligible) {
    return {
      outcome: needsNoEsta(country) ? 'no_esta_needed' : 'not_eligible',
      isEligible: false,
      factors: [COUNTRY_FACTOR],
    };
  }
  const against = questions.filter((question) => isDisqualifying(question, answers));
  if (against.length === 0) return { outcome: 'eligible', isEligible: true, factors: [] };
  return {
    outcome: against.every(({ severity }) => severity === 'case_by_case')
      ? 'probably_not_eligible'
      : 'not_eligible',
    isEligible: false,
    factors: against.map(({ key }) => key),
  };
}
