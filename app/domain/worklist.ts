import {
  type ApplicationState,
  DESK_LISTS,
  isOneOf,
  OPEN_STATES,
  WORKING,
} from './application/states';

/**
 * The cases of one state, which an index has in their order: of one person's, of nobody's (null), or,
 * without, whoever has them. A list is made of several.
 */
export type Queue = { state: ApplicationState; assignedTo?: string | null | undefined };

/** A trip is soon if it begins within so many days. */
export const SOON_DAYS = 14;

export type Tab = keyof typeof DESK_LISTS;
export const TABS = Object.keys(DESK_LISTS) as Tab[];

export function statesInTab(
  tab: Tab,
  self: string,
  filter: { isOverdue?: boolean; assignedTo?: string | null | undefined } = {},
): Queue[] {
  const all: readonly ApplicationState[] = DESK_LISTS[tab];
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
