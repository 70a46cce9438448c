import { subDays } from 'date-fns';

import type { CONTACT_CATEGORIES } from './contact';

/*
 * Who may become a customer: somebody who has written about an application, eligibility or payment, or
 * the owner of an unpaid application who has ticked "remind me" (live-mode.md, status and work).
 */

/** What a lead can be. The column's check has the same list. */
export const LEAD_STATES = ['new', 'contacted', 'converted', 'lost', 'do_not_contact'] as const;
export type LeadState = (typeof LEAD_STATES)[number];

/** What staff do by the buttons of a lead's page. */
export const DESK_LEAD_EVENTS = ['contact', 'convert', 'lose', 'stop', 'reopen'] as const;
export type DeskLeadEvent = (typeof DESK_LEAD_EVENTS)[number];

/** What happens to a lead. `pay` is the site's, `wish` and `stop` also its owner's. */
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
  pay: {
    new: 'converted',
    contacted: 'converted',
    lost: 'converted',
    do_not_contact: 'converted',
  },
};

/** The state that an event leads to; undefined: not from there. */
export function leadAfter(state: LeadState, event: LeadEvent): LeadState | undefined {
  return MOVES[event][state];
}

/** What staff may do with a lead; one of an application is converted by its payment alone. */
export function deskLeadEvents(state: LeadState, kind: 'message' | 'application'): DeskLeadEvent[] {
  return DESK_LEAD_EVENTS.filter(
    (event) =>
      leadAfter(state, event) !== undefined && !(event === 'convert' && kind === 'application'),
  );
}

type Category = (typeof CONTACT_CATEGORIES)[number];
const LEAD_CATEGORIES: readonly Category[] = ['application', 'eligibility', 'payment'];

/** Whether a message of this category makes a lead. */
export function makesLead(category: string | undefined): boolean {
  return LEAD_CATEGORIES.some((one) => one === category);
}

/** The days after which an untouched application is reminded of: so many mails, and no more. */
const REMINDER_DAYS = [3, 10] as const;

/**
 * What is due of the applications whose owners have ticked "remind me": what was left alone since before
 * these instants. `between`: the second reminder never follows on the heels of the first.
 */
export function reminderLimits(now: Date) {
  const [first, second] = REMINDER_DAYS;
  return {
    first: subDays(now, first),
    second: subDays(now, second),
    between: subDays(now, second - first),
  };
}

/** Which reminder is due: none before its day, and never a third. */
export function reminderDue(
  { touchedAt, remindedAt }: { touchedAt: Date; remindedAt: Date | undefined },
  now: Date,
): 'first' | 'second' | undefined {
  const limits = reminderLimits(now);
  if (!remindedAt) return touchedAt <= limits.first ? 'first' : undefined;
  return touchedAt <= limits.second && remindedAt <= limits.between ? 'second' : undefined;
}
