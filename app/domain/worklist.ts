import {
  type ApplicationState,
  DESK_LISTS,
  isOneOf,
  OPEN_STATES,
  stateRow,
  TO_TAKE,
  WORKING,
} from './application/states';

/** One person's, unassigned ones (null), or, without, whoever has them. */
export type Queue = {
  state: ApplicationState;
  assignedTo?: string | null | undefined;
  idleSince?: string;
  notCheckedBy?: string | undefined;
};

export const SOON_DAYS = 14;

/** Who does not work so long on what they took to enter has given it up (live-mode.md, amended 4). */
export const IDLE_MINUTES = 30;

export type Tab = keyof typeof DESK_LISTS;
export const TABS = Object.keys(DESK_LISTS) as Tab[];

/** Who looks at the lists, and when. `fourEyes`: nobody enters what they have checked. */
export type Looking = { id: string; fourEyes: boolean; now: Date };

const idleSince = (now: Date) => new Date(now.getTime() - IDLE_MINUTES * 60_000).toISOString();

function queuesToEnter({ id, fourEyes, now }: Looking): Queue[] {
  const entering = { state: 'checked', notCheckedBy: fourEyes ? id : undefined } as const;
  return [
    { ...entering, assignedTo: null },
    { ...entering, idleSince: idleSince(now) },
  ];
}

export const queuesToTake = (looking: Looking): Queue[] => [
  ...TO_TAKE.map((state) => ({ state, assignedTo: null })),
  ...queuesToEnter(looking),
];

export function queuesInTab(
  tab: Tab,
  looking: Looking,
  filter: { isOverdue?: boolean; assignedTo?: string | null | undefined } = {},
): Queue[] {
  if (tab === 'toEnter') return queuesToEnter(looking);
  const all: readonly ApplicationState[] = DESK_LISTS[tab];
  const states = all.filter((state) => !filter.isOverdue || isOneOf(WORKING, state));
  // What has ended is in the order of its end, whoever had it.
  const whose: Partial<Record<Tab, Queue['assignedTo']>> = {
    free: null,
    mine: looking.id,
    ended: undefined,
  };
  const assignedTo = tab in whose ? whose[tab] : filter.assignedTo;
  return states.map((state) => ({ state, assignedTo }));
}

/** What the next step of a case depends on; instants are ISO 8601 texts. */
interface Row {
  state: ApplicationState;
  assigned_to: string | null;
  checked_by: string | null;
  worked_at: string | null;
  starts_at: string | null;
  code_at: string | null;
  due_at: string | null;
}

export const hasStarted = ({ starts_at }: Pick<Row, 'starts_at'>, now: Date): boolean =>
  starts_at === null || starts_at <= now.toISOString();

const isAppointed = ({ code_at }: Pick<Row, 'code_at'>, now: Date) =>
  code_at !== null && code_at > now.toISOString();

/** Who enters it is at work on it, or will be at the moment that its traveller was told. */
export const workedAt = ({ code_at }: { code_at: string | null }, now: Date) =>
  [now.toISOString(), code_at ?? ''].sort().at(-1) ?? null;

export const isIdle = ({ state, worked_at }: Pick<Row, 'state' | 'worked_at'>, now: Date) =>
  state === 'checked' && worked_at !== null && worked_at <= idleSince(now);

/**
 * Why it is nothing that somebody can do now: `checker`: they have checked it themselves; `appointed`: given
 * back before the moment that its traveller was told. Who means that one may take it all the same.
 */
type Obstacle = 'later' | 'appointed' | 'colleague' | 'checker' | 'traveller' | 'authorities';

export function nextStep(row: Row, { id, fourEyes, now }: Looking) {
  const { step } = stateRow(row.state);
  if (step === undefined) return undefined;
  const obstacle = (): Obstacle | undefined => {
    if (step === 'answer' || step === 'pay') return 'traveller';
    if (step === 'decide') return 'authorities';
    if (step === 'enter' && fourEyes && row.checked_by === id) return 'checker';
    if (row.assigned_to !== null && row.assigned_to !== id && !isIdle(row, now)) return 'colleague';
    if (step === 'enter' && row.assigned_to === null && isAppointed(row, now)) return 'appointed';
    return row.state === 'paid' && !hasStarted(row, now) ? 'later' : undefined;
  };
  const found = obstacle();
  return found ? { step, obstacle: found } : { step };
}

/** Whoever has it can work on it now, and should have. */
export const isLate = (row: Row, looking: Looking) =>
  (row.due_at ?? '9') < looking.now.toISOString() &&
  !isAppointed(row, looking.now) &&
  nextStep(row, looking)?.obstacle === undefined;

export const isOpen = (state: ApplicationState): boolean => OPEN_STATES.includes(state);
