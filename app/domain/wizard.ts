import type { Form } from './form';

export const WIZARD_STEPS = ['country', 'questions', 'result'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

export interface WizardPosition {
  countryEligible: boolean | null;
  submitted: boolean;
  complete: boolean;
}

export const stepAfterCountry = (countryEligible: boolean): WizardStep =>
  countryEligible ? 'questions' : 'result';

export const stepBefore = (step: WizardStep, countryEligible: boolean): WizardStep =>
  step === 'result' && countryEligible ? 'questions' : 'country';

export function permittedStep(requested: WizardStep, position: WizardPosition): WizardStep {
  if (requested === 'country' || position.countryEligible === null) return 'country';
  if (!position.countryEligible) return position.submitted ? 'result' : 'country';
  if (requested === 'questions') return 'questions';
  return position.submitted && position.complete ? 'result' : 'questions';
}

/** In per cent (specification, section 4). */
export function wizardProgress(
  step: WizardStep,
  { countryChosen, answered, total }: { countryChosen: boolean; answered: number; total: number },
): number {
  if (step === 'result') return 100;
  if (step === 'country') return countryChosen ? 25 : 0;
  return 25 + (total === 0 ? 0 : (answered / total) * 50);
}

export const COUNTRY_FORM = [
  { name: 'country', type: 'select_country', required: true },
] as const satisfies Form;

export const questionsForm = (questions: readonly { key: string }[]): Form =>
  questions.map(({ key }) => ({ name: key, type: 'yes_no', required: true }));
