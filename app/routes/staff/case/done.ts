import type { ApplicationState } from '~/domain/application/states';

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
export type Done = (typeof DONE)[number];

/**
 * What an address says is done, unless it is over: a page that is loaded once more after the traveller
 * has answered must not say that the request has just been sent.
 */
export function doneIn(word: string | null, state: ApplicationState): Done | undefined {
  const done = DONE.find((one) => one === word);
  return done === 'request' && state !== 'action_required' ? undefined : done;
}
