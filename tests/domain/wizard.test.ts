import { expect } from 'vitest';

import {
  permittedStep,
  stepAfterCountry,
  stepBefore,
  wizardProgress,
  type WizardStep,
} from '~/domain/wizard';
import { decisionTables } from '../decision-tables';

const STEPS = ['country', 'questions', 'result'] as const;

decisionTables(import.meta.url, {
  'where a visitor is led who asks for the country, the questions, the result': (
    _,
    country,
    run,
  ) => {
    const position = {
      countryEligible: country === 'no country' ? null : country === 'eligible',
      submitted: run?.includes('submitted') ?? false,
      complete: run?.includes('complete') ?? false,
    };
    return STEPS.map((requested) => permittedStep(requested, position)).join(', ');
  },
  'where Back leads': (step, country) => {
    const isEligible = country === 'eligible';
    expect(stepAfterCountry(isEligible)).toBe(isEligible ? 'questions' : 'result');
    return stepBefore(step as WizardStep, isEligible);
  },
  'what the bar shows': (step, answered, total) =>
    wizardProgress(step as WizardStep, {
      countryChosen: true,
      answered: Number(answered),
      total: Number(total),
    }),
});
