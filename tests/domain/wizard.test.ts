import { expect, it } from 'vitest';

import {
  permittedStep,
  stepAfterCountry,
  stepBefore,
  type WizardPosition,
  wizardProgress,
  type WizardStep,
} from '~/domain/wizard';

const nothing: WizardPosition = { countryEligible: null, submitted: false, complete: false };
const eligible: WizardPosition = { ...nothing, countryEligible: true };
const answered: WizardPosition = { ...eligible, complete: true };
const finished: WizardPosition = { ...answered, submitted: true };
const outside: WizardPosition = { ...nothing, countryEligible: false, submitted: true };

const reopened = { ...finished, complete: false };
const returned = { ...outside, submitted: false };
it.each<[string, WizardPosition, WizardStep, WizardStep, WizardStep]>([
  ['nothing chosen', nothing, 'country', 'country', 'country'],
  ['an eligible country', eligible, 'country', 'questions', 'questions'],
  ['answers that were never sent off', answered, 'country', 'questions', 'questions'],
  ['a finished run', finished, 'country', 'questions', 'result'],
  ['a finished run and a question added since', reopened, 'country', 'questions', 'questions'],
  ['a country outside the programme', outside, 'country', 'result', 'result'],
  ['a country outside, after Back', returned, 'country', 'country', 'country'],
])('a visitor with %s is led to one of %o', (_name, position, ...expected) => {
  const steps = (['country', 'questions', 'result'] as const).map((requested) =>
    permittedStep(requested, position),
  );
  expect(steps).toEqual(expected);
});

it.each<[WizardStep, boolean, WizardStep]>([
  ['result', true, 'questions'],
  ['result', false, 'country'],
  ['questions', true, 'country'],
  ['country', true, 'country'],
])('Back leads from %s (eligible country: %s) to %s', (step, countryEligible, expected) => {
  expect(stepBefore(step, countryEligible)).toBe(expected);
  expect(stepAfterCountry(countryEligible)).toBe(countryEligible ? 'questions' : 'result');
});

it.each<[WizardStep, boolean, number, number, number]>([
  ['country', true, 0, 13, 25],
  ['questions', true, 0, 13, 25],
  ['questions', true, 1, 4, 37.5],
  ['questions', true, 13, 13, 75],
  ['questions', true, 0, 0, 25],
  ['result', true, 13, 13, 100],
])('the bar on %s (country: %s, %i of %i) shows %d', (step, countryChosen, done, total, expected) =>
  expect(wizardProgress(step, { countryChosen, answered: done, total })).toBe(expected),
);
