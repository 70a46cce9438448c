import {
  type ApplicationState,
  ENDED_STATES,
  isOneOf,
  OPEN_STATES,
  TO_TAKE,
  WORKING,
} from './application/states';

/**
 * The cases of one state, which an index has in their order: of one person's, of nobody's (null), or,
 * without, whoever has them. A list is made of several.
 */
export type Queue = { state: ApplicationState; assignedTo?: string | null | undefined };

/** A trip is soon if it begins within so many days. */
export const SOON_DAYS = 14;

const STATES_OF = {
  free: TO_TAKE,
  // What is filed waits for others, and would stand before what is to be done.
  mine: OPEN_STATES.filter((state) => state !== 'filed'),
  waiting: ['action_required'],
  toEnter: ['checked'],
  fee: ['fee_due'],
  filed: ['filed'],
  ended: ENDED_STATES,
  open: OPEN_STATES,
} satisfies Record<string, readonly ApplicationState[]>;
export type Tab = keyof typeof STATES_OF;
export const TABS = Object.keys(STATES_OF) as Tab[];

export function statesInTab(
  tab: Tab,
  self: string,
  filter: { isOverdue?: boolean; assignedTo?: string | null | undefined } = {},
): Queue[] {
  const all: readonly ApplicationState[] = STATES_OF[tab];
  const states = all.filter((state) => !filter.isOverdue || isOneOf(WORKING, state));
  // What has ended is in the order of its end, whoever had it.
  const whose: Partial<Record<Tab, Queue['assignedTo']>> = {
    free: null,
    mine: self,
    ended: undefined,
  };
  const assignedTo = tab in whose ? whose[tab] : filter.assignedTo;
  return states.map((state) => ({ state, assignedTo }));
}

export function isOverdue(
  { state, due_at }: { state: ApplicationState; due_at: string | null },
  now: Date,
): boolean {
  return isOneOf(WORKING, state) && due_at !== null && due_at < now.toISOString();
}

export const isOpen = (state: ApplicationState): boolean => OPEN_STATES.includes(state);
