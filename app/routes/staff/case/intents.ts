import type { ApplicationState } from '~/domain/application/states';

/** What can be sent about the work on a case. */
export const WORK_INTENTS = [
  'task',
  'reopen-task',
  'check',
  'send_back',
  'enter',
  'file',
  'outcome',
  'correct',
  'correct_number',
] as const;
export type WorkIntent = (typeof WORK_INTENTS)[number];

/** A word as what can be sent about the work, if it is that. */
export const workIntentOf = (word: string | undefined): WorkIntent | undefined =>
  WORK_INTENTS.find((intent) => intent === word);

/** What has a form of its own below the tasks. */
export type FormIntent = Exclude<WorkIntent, 'task' | 'reopen-task'>;

/** The intents that move the case from state to state. */
export type MoveIntent = Exclude<FormIntent, 'correct_number'>;

/** The goals that a correction can have. */
export const GOALS = ['approved', 'not_authorized', 'filed'] as const;
/** What the authorities can have decided. */
export const OUTCOMES = ['approved', 'not_authorized'] as const;

/** What the page says once it is done; what becomes of its assignment, that part tells itself. */
const DONE = [
  'task',
  'reopen-task',
  'check',
  'send_back',
  'enter',
  'file',
  'outcome',
  'correct',
  'correct_number',
  'request',
  'amend',
  'note',
] as const;
export type DoneWord = (typeof DONE)[number];

/**
 * What an address says is done, unless it is over: a page that is loaded once more after the traveller
 * has answered must not say that the request has just been sent.
 */
export function doneIn(word: string | null, state: ApplicationState): DoneWord | undefined {
  const done = DONE.find((one) => one === word);
  return done === 'request' && state !== 'action_required' ? undefined : done;
}
