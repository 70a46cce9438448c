import { type Answers, sureName } from './answers';
import { type StepInput, validateStep, openWarningsOf } from './validate-step';
import { normalisePassportNumber } from './passport-shapes';
import type { Step } from './steps';

/** What becomes of an answer that is probably mistyped: `fix` writes what was meant, `keep` leaves it. */
export type Settling = { name: 'fix' | 'keep'; field: string };

export function settleDoubt(
  step: Step,
  answers: Answers,
  context: StepInput,
  { name, field }: Settling,
): Answers {
  const inStep = { ...context, all: { ...context.all, [step.number]: answers } };
  const doubt = openWarningsOf(step, inStep).find((one) => one.field === field);
  const suggestion = doubt?.values?.['suggestion'];
  if (suggestion === undefined) return answers;
  if (name === 'keep') {
    const text = validateStep(step, answers, inStep).kept[field] ?? '';
    return { ...answers, [field]: text, [sureName(field)]: text };
  }
  const typed = normalisePassportNumber(answers[field] ?? '');
  const again = step.fields.filter(
    ({ name: other, must_equal: equal }) =>
      equal === field && normalisePassportNumber(answers[other] ?? '') === typed,
  );
  return {
    ...answers,
    ...Object.fromEntries([field, ...again.map((one) => one.name)].map((one) => [one, suggestion])),
  };
}
