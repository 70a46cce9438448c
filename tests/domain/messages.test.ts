import { describe, expect, it } from 'vitest';

import {
  MESSAGE_EVENTS,
  MESSAGE_STATES,
  messageAfter,
  type MessageEvent,
  messageEvents,
  type MessageState,
} from '~/domain/messages';

const LEADS_TO: [MessageState, MessageEvent, MessageState][] = [
  ['new', 'answer', 'answered'],
  ['answered', 'answer', 'answered'],
  ['new', 'close', 'closed'],
  ['answered', 'reopen', 'new'],
  ['closed', 'reopen', 'new'],
  ['new', 'take', 'new'],
];

describe('a message', () => {
  it('moves as the table says, and in no other way', () => {
    for (const state of MESSAGE_STATES) {
      for (const event of MESSAGE_EVENTS) {
        const expected = LEADS_TO.find(([from, by]) => from === state && by === event)?.[2];
        expect([state, event, messageAfter(state, event)]).toEqual([state, event, expected]);
      }
    }
  });

  it('is not taken twice by the same person', () => {
    expect(messageEvents('new', { isMine: false })).toEqual(['answer', 'close', 'take']);
    expect(messageEvents('new', { isMine: true })).toEqual(['answer', 'close']);
    expect(messageEvents('closed', { isMine: true })).toEqual(['reopen']);
  });
});
