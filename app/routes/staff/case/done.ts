/** What the page says once it is done; what becomes of its assignment, that part tells itself. */
export const DONE = [
  'task',
  'reopen-task',
  'check',
  'send_back',
  'enter',
  'file',
  'outcome',
  'correct',
  'request',
  'amend',
  'note',
] as const;
export type Done = (typeof DONE)[number];
