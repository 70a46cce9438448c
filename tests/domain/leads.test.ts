import { addDays, subSeconds } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { CONTACT_CATEGORIES } from '~/domain/contact';
import {
  deskLeadEvents,
  LEAD_STATES,
  leadAfter,
  type LeadEvent,
  type LeadState,
  makesLead,
  reminderDue,
} from '~/domain/leads';
import {
  MESSAGE_STATES,
  messageAfter,
  type MessageEvent,
  messageEvents,
  type MessageState,
} from '~/domain/messages';
import { decisionTables } from '../decision-tables';

/** By event: from which states to which. */
const LEADS_TO: Record<LeadEvent, [LeadState[], LeadState]> = {
  contact: [['new'], 'contacted'],
  convert: [['new', 'contacted'], 'converted'],
  lose: [['new', 'contacted'], 'lost'],
  stop: [['new', 'contacted', 'lost'], 'do_not_contact'],
  reopen: [['lost'], 'new'],
  wish: [['lost', 'do_not_contact'], 'new'],
  pay: [['new', 'contacted', 'lost', 'do_not_contact'], 'converted'],
};

function expectMoves<E extends string, S extends string>(
  table: Record<E, [S[], S]>,
  states: readonly S[],
  after: (state: S, event: E) => S | undefined,
): void {
  for (const [event, [from, to]] of Object.entries(table) as [E, [S[], S]][]) {
    for (const state of states) {
      const expected = from.includes(state) ? to : undefined;
      expect([state, event, after(state, event)]).toEqual([state, event, expected]);
    }
  }
}

describe('a lead', () => {
  it('moves as the table says, and in no other way', () =>
    expectMoves(LEADS_TO, LEAD_STATES, leadAfter));

  it('is converted by payment alone if it is an application, and never called on again', () => {
    expect(deskLeadEvents('new', 'message')).toEqual(['contact', 'convert', 'lose', 'stop']);
    expect(deskLeadEvents('new', 'application')).toEqual(['contact', 'lose', 'stop']);
    expect(deskLeadEvents('do_not_contact', 'message')).toEqual([]);
  });

  it('is made of messages about an application, eligibility or payment', () => {
    expect(CONTACT_CATEGORIES.filter(makesLead)).toEqual(['application', 'eligibility', 'payment']);
    expect(makesLead(undefined)).toBe(false);
  });
});

const touchedAt = new Date('2026-11-01T12:00:00.000Z');
/** So many days later, or a second before that. */
const later = (days: string) =>
  subSeconds(addDays(touchedAt, parseInt(days, 10)), days.endsWith('second') ? 1 : 0);

decisionTables(import.meta.url, {
  'a reminder: when, day of the first one, days since the last touch': (_, first, now) =>
    reminderDue({ touchedAt, remindedAt: first ? later(first) : undefined }, later(now)),
});

/** The same of a message: to take it changes no state. */
const MESSAGES_LEAD_TO: Record<MessageEvent, [MessageState[], MessageState]> = {
  answer: [['new', 'answered'], 'answered'],
  close: [['new'], 'closed'],
  reopen: [['answered', 'closed'], 'new'],
  take: [['new'], 'new'],
};

describe('a message', () => {
  it('moves as the table says, and in no other way', () =>
    expectMoves(MESSAGES_LEAD_TO, MESSAGE_STATES, messageAfter));

  it('is not taken twice by the same person', () => {
    expect(messageEvents('new', { isMine: false })).toEqual(['answer', 'close', 'take']);
    expect(messageEvents('new', { isMine: true })).toEqual(['answer', 'close']);
    expect(messageEvents('closed', { isMine: true })).toEqual(['reopen']);
  });
});
