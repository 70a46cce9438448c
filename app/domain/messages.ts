import type { Form } from './form';

export const MESSAGE_STATES = ['new', 'answered', 'closed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const MESSAGE_EVENTS = ['take', 'close', 'reopen'] as const;
export type MessageEvent = (typeof MESSAGE_EVENTS)[number];

const MOVES: Record<MessageEvent, Partial<Record<MessageState, MessageState>>> = {
  take: { new: 'new' },
  close: { new: 'closed' },
  reopen: { answered: 'new', closed: 'new' },
};

export const messageAfter = (state: MessageState, event: MessageEvent): MessageState | undefined =>
  MOVES[event][state];

export const messageEvents = (state: MessageState, { isMine }: { isMine: boolean }) =>
  MESSAGE_EVENTS.filter(
    (event) => messageAfter(state, event) !== undefined && !(event === 'take' && isMine),
  );

export const ANSWER_FORM = [
  { name: 'answer', type: 'textarea', required: true, max_length: 5000 },
] as const satisfies Form;

export const UNANSWERED_DAYS = 365;
