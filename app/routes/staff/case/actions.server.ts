import type { OpenCase } from '~/desk/open-case.server';
import type { Language } from '~/i18n/languages';
import { ANSWER_INTENTS, actOnAnswers } from './answers.server';
import { ASSIGNMENT_INTENTS, actOnAssignment } from './assignment.server';
import { NOTE_INTENTS, actOnNotes } from './notes.server';
import { REQUEST_INTENTS, actOnRequests } from './requests.server';
import { WORK_INTENTS, actOnWork } from './work.server';

/** All that can be sent to a case. */
export const INTENTS = [
  ...ASSIGNMENT_INTENTS,
  ...WORK_INTENTS,
  ...REQUEST_INTENTS,
  ...ANSWER_INTENTS,
  ...NOTE_INTENTS,
] as const;
type Intent = (typeof INTENTS)[number];

/** Has the part that an intent belongs to take the form. */
export async function act(
  intent: Intent,
  open: OpenCase,
  sent: FormData,
  language: Language,
): Promise<Response> {
  const isOneOf = <T extends string>(list: readonly T[]): ((one: string) => one is T) => {
    return (one): one is T => list.some((known) => known === one);
  };
  if (isOneOf(ASSIGNMENT_INTENTS)(intent)) return actOnAssignment(intent, open, sent);
  if (isOneOf(REQUEST_INTENTS)(intent)) return actOnRequests(intent, open, sent);
  if (isOneOf(ANSWER_INTENTS)(intent)) return actOnAnswers(intent, open, sent, language);
  if (isOneOf(NOTE_INTENTS)(intent)) return actOnNotes(intent, open, sent);
  return actOnWork(intent, open, sent);
}
