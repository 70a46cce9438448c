import type { ApplicationState } from './application/states';

/*
 * The worklist of the desk: which cases stand in which of its lists. A list is made of lanes, one a
 * state, each of which the database reads in its order from an index.
 */

/** The lists, in the order of their tabs. */
export const TABS = [
  'free',
  'mine',
  'waiting',
  'toEnter',
  'fee',
  'filed',
  'ended',
  'open',
] as const;
export type Tab = (typeof TABS)[number];

export const OPEN_STATES = [
  'paid',
  'in_review',
  'action_required',
  'checked',
  'fee_due',
  'filed',
] as const satisfies readonly ApplicationState[];

export const ENDED_STATES = [
  'approved',
  'not_authorized',
  'cancelled',
] as const satisfies readonly ApplicationState[];

/** What waits for us: only there is a time that has run out ours. */
export const WORKING: readonly ApplicationState[] = ['paid', 'in_review', 'checked'];

/** What somebody may take who has nothing to do: a case that was released goes on where it stood. */
export const TAKEN_STATES = ['paid', 'in_review'] as const satisfies readonly ApplicationState[];

/** The cases of one state; of one person's, of nobody's (null), or, without, whoever has them. */
export interface Lane {
  state: ApplicationState;
  assignedTo?: string | null;
}

export interface CaseFilter {
  package?: string;
  citizenship?: string;
  isOverdue?: true;
  /** A trip within `SOON_DAYS`. */
  isSoon?: true;
  /** An account of the staff; null: nobody. */
  assignedTo?: string | null;
}

/** A trip is soon if it begins within so many days. */
export const SOON_DAYS = 14;

const STATES_OF: Readonly<Record<Tab, readonly ApplicationState[]>> = {
  free: TAKEN_STATES,
  // What is filed waits for others, and would stand before what is to be done.
  mine: OPEN_STATES.filter((state) => state !== 'filed'),
  waiting: ['action_required'],
  toEnter: ['checked'],
  fee: ['fee_due'],
  filed: ['filed'],
  ended: ENDED_STATES,
  open: OPEN_STATES,
};

/**
 * The lanes of a list.
 *
 * @param self who asks
 */
export function lanesOf(tab: Tab, self: string, filter: CaseFilter = {}): Lane[] {
  const states = STATES_OF[tab].filter((state) => !filter.isOverdue || WORKING.includes(state));
  const assignedTo = tab === 'free' ? null : tab === 'mine' ? self : filter.assignedTo;
  // What has ended is in the order of its end, whoever had it.
  if (tab === 'ended' || assignedTo === undefined) return states.map((state) => ({ state }));
  return states.map((state) => ({ state, assignedTo }));
}

/** Whether a case should have been done by now. */
export function isOverdue(
  { state, due_at }: { state: ApplicationState; due_at: string | null },
  now: Date,
): boolean {
  return WORKING.includes(state) && due_at !== null && due_at < now.toISOString();
}

/** Whether somebody can have a case: it is paid for and has not come to its end. */
export function isOpen(state: ApplicationState): boolean {
  return OPEN_STATES.some((one) => one === state);
}
