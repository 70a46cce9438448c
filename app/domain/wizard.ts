import type { Form } from './form';

/** The steps of the eligibility check, in order (specification, section 2). */
export const WIZARD_STEPS = ['country', 'questions', 'result'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

/** How far a visitor has come. */
export interface WizardPosition {
  /** The chosen country takes part in the Visa Waiver Program; null: none chosen yet. */
  countryEligible: boolean | null;
  /** The last step was sent off and no Back has cleared the result since. */
  submitted: boolean;
  /** Every question that is asked today has an answer. */
  complete: boolean;
}

/** The step that follows the choice of a country: others than eligible ones skip the questions. */
export function stepAfterCountry(countryEligible: boolean): WizardStep {
  return countryEligible ? 'questions' : 'result';
}

/** Where Back leads from a step (specification, section 4). */
export function stepBefore(step: WizardStep, countryEligible: boolean): WizardStep {
  return step === 'result' && countryEligible ? 'questions' : 'country';
}

/** The step a visitor may see: the one asked for, or the furthest one before it that is open. */
export function permittedStep(requested: WizardStep, position: WizardPosition): WizardStep {
  if (requested === 'country' || position.countryEligible === null) return 'country';
  if (!position.countryEligible) return position.submitted ? 'result' : 'country';
  if (requested === 'questions') return 'questions';
  return position.submitted && position.complete ? 'result' : 'questions';
}

/**
 * The value of the progress bar in per cent (specification, section 4): 0 before and 25 after the
 * choice of a country, 25 + answered / total x 50 on the questions, 100 on the result.
 */
export function wizardProgress(
  step: WizardStep,
  { countryChosen, answered, total }: { countryChosen: boolean; answered: number; total: number },
): number {
  if (step === 'result') return 100;
  if (step === 'country') return countryChosen ? 25 : 0;
  return 25 + (total === 0 ? 0 : (answered / total) * 50);
}

/** The form of the first step; the list of countries is the database's. */
export const COUNTRY_FORM = [
  { name: 'country', type: 'select_country', required: true },
] as const satisfies Form;

/** The form of the second step: a yes or a no a question, in the order asked. */
export function questionsForm(questions: readonly { key: string }[]): Form {
  return questions.map(({ key }) => ({ name: key, type: 'yes_no', required: true }));
}
