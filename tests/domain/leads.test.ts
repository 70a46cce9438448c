import { addDays, subSeconds } from 'date-fns';

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

const touchedAt = new Date('2026-11-01T12:00:00.000Z');
/** So many days later, or a second before that. */
const later = (days: string) =>
  subSeconds(addDays(touchedAt, parseInt(days, 10)), days.endsWith('second') ? 1 : 0);

const moves = <S extends string>(states: readonly S[], after: (state: S) => S | undefined) =>
  states.flatMap((state) => (after(state) ? `${state} > ${after(state)}` : [])).join(', ');
decisionTables(import.meta.url, {
  'a reminder: when, day of the first one, days since the last touch': (_, first, now) =>
    reminderDue({ touchedAt, remindedAt: first ? later(first) : undefined }, later(now)),
  'where an event leads a lead': (event) =>
    moves(LEAD_STATES, (state) => leadAfter(state, event as LeadEvent)),
  'what the desk may do with a lead, made of a message or an application': (state, source) =>
    deskLeadEvents(state as LeadState, source as 'message' | 'application').join(' ') || undefined,
  'messages that make a lead': () => [undefined, ...CONTACT_CATEGORIES].filter(makesLead).join(' '),
  'where an event leads a message': (event) =>
    moves(MESSAGE_STATES, (state) => messageAfter(state, event as MessageEvent)),
  'what may be done with a message, mine or not': (state, whose) =>
    messageEvents(state as MessageState, { isMine: whose === 'mine' }).join(' '),
});
