import type { CountryStep } from './country-step';
import type { QuestionsStep } from './questions-step';
import type { ResultStep } from './result-step';

/** A browser loads the code of one step. Not `React.lazy`: pages are rendered in one go. */
export const steps: {
  country?: typeof CountryStep;
  questions?: typeof QuestionsStep;
  result?: typeof ResultStep;
} = {};

const LOAD = {
  country: async () => void (steps.country ??= (await import('./country-step')).CountryStep),
  questions: async () =>
    void (steps.questions ??= (await import('./questions-step')).QuestionsStep),
  result: async () => void (steps.result ??= (await import('./result-step')).ResultStep),
  // Part of the route: nothing more may have to be loaded to say that loading failed.
  failed: async () => {},
};

export async function loadStep(step: keyof typeof LOAD): Promise<void> {
  await LOAD[step]();
}
