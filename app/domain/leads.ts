import { subDays } from 'date-fns';

import type { CONTACT_CATEGORIES } from './contact';

export const LEAD_STATES = ['new', 'contacted', 'converted', 'lost', 'do_not_contact'] as const;
export type LeadState = (typeof LEAD_STATES)[number];

export const DESK_LEAD_EVENTS = ['contact', 'convert', 'lose', 'stop', 'reopen'] as const;
export type DeskLeadEvent = (typeof DESK_LEAD_EVENTS)[number];

export type LeadEvent = DeskLeadEvent | 'wish' | 'pay';

const MOVES: Record<LeadEvent, Partial<Record<LeadState, LeadState>>> = {
  contact: { new: 'contacted' },
  convert: { new: 'converted', contacted: 'converted' },
  lose: { new: 'lost', contacted: 'lost' },
  // Who wants to hear nothing more is asked nothing more, whatever else becomes of it.
  stop: { new: 'do_not_contact', contacted: 'do_not_contact', lost: 'do_not_contact' },
  reopen: { lost: 'new' },
  // Its owner ticks the box anew: only they may take "do not contact" back.
  wish: { do_not_contact: 'new', lost: 'new' },
  pay: { new: 'converted', contacted: 'converted', lost: 'converted', do_not_contact: 'converted' },
};

export const leadAfter = (state: LeadState, event: LeadEvent): LeadState | undefined =>
  MOVES[event][state];

export function deskLeadEvents(state: LeadState, kind: 'message' | 'application'): DeskLeadEvent[] {
  return DESK_LEAD_EVENTS.filter(
    (event) =>
      leadAfter(state, event) !== undefined && !(event === 'convert' && kind === 'application'),
  );
}

type Category = (typeof CONTACT_CATEGORIES)[number];
const LEAD_CATEGORIES: readonly Category[] = ['application', 'eligibility', 'payment'];

export const makesLead = (category: string | undefined): boolean =>
  LEAD_CATEGORIES.some((one) => one === category);

/** The days after which an untouched application is reminded of: so many mails, and no more. */
const REMINDER_DAYS = [3, 10] as const;

/** `between`: the second reminder never follows on the heels of the first. */
export function reminderLimits(now: Date) {
  const [first, second] = REMINDER_DAYS;
  return {
    first: subDays(now, first),
    second: subDays(now, second),
    between: subDays(now, second - first),
  };
}

export function reminderDue(
  { touchedAt, remindedAt }: { touchedAt: Date; remindedAt: Date | undefined },
  now: Date,
): 'first' | 'second' | undefined {
  const limits = reminderLimits(now);
  if (!remindedAt) return touchedAt <= limits.first ? 'first' : undefined;
  return touchedAt <= limits.second && remindedAt <= limits.between ? 'second' : undefined;
}
