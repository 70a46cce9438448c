import { useTranslation } from 'react-i18next';

import { GUARDS, type Guard } from '~/domain/application/states';
import type { Refusal } from '~/http/refusal';
import { workIntentOf } from './intents';

type Problem =
  | 'changed'
  | 'state'
  | 'actor'
  | 'invalid'
  | 'required'
  | 'tooLong'
  | 'hidden'
  | 'noPhoto'
  | 'sameNumber'
  | 'outcome'
  | 'day'
  | 'past'
  | 'tooLate'
  | 'afterPassport';

const isGuard = (problem: string): problem is Guard => GUARDS.some((one) => one === problem);

/** The sentence of a problem: a guard that does not hold, or what is wrong with a field. */
export function useProblemText(): (problem: string) => string {
  const { t } = useTranslation('desk-work');
  return (problem) =>
    isGuard(problem) ? t(`guards.${problem}`) : t(`problems.${problem as Problem}`);
}

/** The refusal, if it is about the work: each part of the page has forms of its own. */
export function ownRefusal(refusal: Refusal | undefined): Refusal | undefined {
  return workIntentOf(refusal?.values['intent']) ? refusal : undefined;
}

/** The refusal of one of the forms: that of an intent, and of a task by its id. */
export function refusalOf(
  refusal: Refusal | undefined,
  intent: string,
  task?: string,
): Refusal | undefined {
  const isOwn = refusal?.values['intent'] === intent && refusal.values['task'] === task;
  return isOwn ? refusal : undefined;
}
