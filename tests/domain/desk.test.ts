import { addDays, subSeconds } from 'date-fns';
import { expect, it } from 'vitest';

import type { StaffRole } from '~/access';
import type { ApplicationState } from '~/domain/application/states';
import { CONTACT_CATEGORIES } from '~/domain/contact';
import { axisEnd, fewTogether, isToCount, shownCount, timeTaken } from '~/domain/dashboard';
import { daysBefore } from '~/domain/timeline';
import { dayPeriod } from '~/domain/day-period';
import { caseRights } from '~/domain/desk';
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
import { isLate, kindsCountedWith, nextTry } from '~/domain/outbox';
import { decisionTables } from '../decision-tables';

const HOUR = 3_600_000;

it('numbers that were not counted to their end say so, an axis ends above them, days stand before today', () => {
  expect(daysBefore('2026-03-02', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  const shown = [0, 99, 100, 300].map((count) => shownCount(count, 100));
  expect(shown).toEqual(['0', '99', '99+', '99+']);
  expect([[], [0, 3], [10], [11], [99, 501]].map(axisEnd)).toEqual([1, 5, 10, 20, 1000]);
});

const touchedAt = new Date('2026-11-01T12:00:00.000Z');
/** So many days later, or a second before that. */
const later = (days: string) =>
  subSeconds(addDays(touchedAt, parseInt(days, 10)), days.endsWith('second') ? 1 : 0);

const moves = <S extends string>(states: readonly S[], after: (state: S) => S | undefined) =>
  states.flatMap((state) => (after(state) ? `${state} > ${after(state)}` : [])).join(', ');

const NOW = new Date('2026-11-22T12:00:00.000Z');

decisionTables(import.meta.url, {
  'what staff may of a case': (role, how, state) => {
    const { view, ...may } = caseRights({
      role: role as StaffRole,
      isAssigned: how === 'assigned',
      state: state as ApplicationState,
      gaveReason: how === 'reason',
    });
    const granted = Object.entries(may).flatMap(([name, holds]) => (holds ? [name] : []));
    return [view, ...granted].join(' ');
  },
  'begin and hours of a day': (day, timeZone) => {
    const { from, to } = dayPeriod(day, timeZone);
    return `${from.toISOString()}, ${(to.getTime() - from.getTime()) / HOUR} hours`;
  },
  'whether a day is counted again at 11 o’clock': (_, at?: string, day?: string) => {
    const last = at && day ? { at: new Date(at), day } : undefined;
    return isToCount('2026-11-21', last, new Date('2026-11-22T11:00:00Z'));
  },
  'hours that half took, of how many, and who was late: from, due, done of each': (_, ...spans) => {
    const at = (hour = 'x') => (hour === 'x' ? null : new Date(Number(hour) * HOUR).toISOString());
    const { half, count, late } = timeTaken(
      spans.map((span) => {
        const [from, due, done] = span.split(' ');
        return { from: at(from), due: at(due), done: at(done) };
      }),
    );
    return `${half} h of ${count}, ${late} late`;
  },
  'countries of a month, fewer than five together': (_, ...counts) =>
    fewTogether(
      counts
        .map((one) => one.split(' '))
        .map(([code = '', count]) => ({
          code: code.replace('-', '') || null,
          count: Number(count),
        })),
    )
      .map(({ code, count }) => `${code || 'others'} ${count}`)
      .join(', '),
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
  'minutes until a message is tried again that could not be sent so often': (tries) => {
    const next = nextTry(Number(tries), NOW);
    return next && (next.getTime() - NOW.getTime()) / 60_000;
  },
  'whether a message of this time is too late at noon': (channel, createdAt) =>
    isLate(channel as 'sms' | 'mail', new Date(createdAt), NOW),
  'mails that are counted together with one': (kind) => kindsCountedWith(kind).join(' '),
});
