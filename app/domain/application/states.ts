import { may, type StaffRole } from '~/access';

/** The life of an application as one table; moves write by compare-and-set, with an audit event. */

export const STATIONS = ['answers', 'payment', 'review', 'filing', 'decision'] as const;
export type StationName = (typeof STATIONS)[number];

type StateRow = {
  at: StationName | 'passed' | 'ended';
  look: 'open' | 'good' | 'bad';
  step?: 'check' | 'answer' | 'enter' | 'pay' | 'decide';
};

/**
 * What an application can be, in the order of its way; the column's check has the same list. `at`:
 * its station, or that it has passed all, or ended before; `look`: the stamp that its owner sees;
 * `step`: what has to be done next.
 */
const TABLE = {
  draft: { at: 'answers', look: 'open' },
  awaiting_payment: { at: 'payment', look: 'open' },
  paid: { at: 'review', look: 'open', step: 'check' },
  in_review: { at: 'review', look: 'open', step: 'check' },
  action_required: { at: 'review', look: 'bad', step: 'answer' },
  checked: { at: 'filing', look: 'open', step: 'enter' },
  fee_due: { at: 'filing', look: 'open', step: 'pay' },
  filed: { at: 'decision', look: 'open', step: 'decide' },
  approved: { at: 'passed', look: 'good' },
  not_authorized: { at: 'passed', look: 'bad' },
  cancelled: { at: 'ended', look: 'bad' },
  expired: { at: 'ended', look: 'bad' },
} satisfies Record<string, StateRow>;
export type ApplicationState = keyof typeof TABLE;
export const STATES = Object.keys(TABLE) as ApplicationState[];

export const stateRow = (state: ApplicationState): StateRow => TABLE[state];

type Group = readonly ApplicationState[];

/** Its owner's alone: it ends by itself when its owner leaves it alone. */
export const UNPAID: Group = ['draft', 'awaiting_payment'];
/** How an application ends that nobody has paid for, or whose order was cancelled. */
export const NEVER_PAID = ['expired', 'cancelled'] as const satisfies Group;
/** Paid, and not at its end: somebody of the staff can have it. */
export const OPEN_STATES: Group = [
  'paid',
  'in_review',
  'action_required',
  'checked',
  'fee_due',
  'filed',
];
export const DECIDED = ['approved', 'not_authorized'] as const satisfies Group;
/** The ends of what the desk has had. */
export const ENDED_STATES: Group = [...DECIDED, 'cancelled'];
/** Somebody who has nothing to do may take it: what was released goes on where it stood. */
export const TO_TAKE = ['paid', 'in_review'] as const satisfies Group;
/** Waits for us: only here is a time that has run out ours. */
export const WORKING = [...TO_TAKE, 'checked'] as const satisfies Group;
/** Its answers and photo may be asked for. */
export const BEING_CHECKED: Group = [...TO_TAKE, 'action_required'];
/** The promise of the order runs: before, nobody works on it; afterwards others decide. */
export const UNDER_PROMISE: Group = [...BEING_CHECKED, 'checked'];
/** It has an official number that somebody still needs. */
export const ENTERED: Group = ['fee_due', 'filed'];
/** Only staff end it, and it keeps its answers until then. */
export const ENDED_BY_STAFF: Group = [...WORKING, 'filed'];
/** Nothing was paid, or it has come to its end: what staff work on is a contract. */
export const DELETABLE: Group = [...UNPAID, ...ENDED_STATES, 'expired'];

export const DESK_LISTS = {
  free: TO_TAKE,
  toEnter: ['checked'],
  mine: WORKING,
  waiting: ['action_required'],
  fee: ['fee_due'],
  filed: ['filed'],
  ended: ENDED_STATES,
  open: OPEN_STATES,
} satisfies Record<string, Group>;

export const isOneOf = <S extends ApplicationState>(
  group: readonly S[],
  state: ApplicationState,
): state is S => (group as Group).includes(state);

/** The assignee may what an agent may. */
export const ACTORS = ['owner', 'system', 'agent', 'assignee', 'supervisor'] as const;
export type Actor = (typeof ACTORS)[number];

/** @param more `setting`: chooses between rows of the same event; `isChosen`: the caller names the state */
const row = <E extends string, const G extends readonly string[], S extends string = never>(
  event: E,
  from: Group,
  to: ApplicationState,
  who: readonly Actor[],
  guards: G,
  more: { setting?: S; isChosen?: true } = {},
) => ({ event, from, to, who, guards, ...more });

const CORRECTED = ['reasonGiven', 'validUntilGiven'] as const;
const CHOSEN = { isChosen: true } as const;
const GUARDS_TO_TAKE_FOR_ENTRY = ['notWithdrawn', 'notChecker'] as const;
const GUARDS_TO_ENTER = [...GUARDS_TO_TAKE_FOR_ENTRY, 'officialNumberGiven'] as const;

const ROWS = [
  row('certify', ['draft'], 'awaiting_payment', ['owner'], ['stepsValid']),
  row('reopen', ['awaiting_payment'], 'draft', ['owner'], ['noOpenCheckout']),
  row('pay', ['awaiting_payment'], 'paid', ['system'], ['paymentVerified']),
  // The table of roles lets supervisors take, too.
  row('take', ['paid'], 'in_review', ['agent', 'supervisor'], ['assignedToSelf', 'started']),
  // Nobody else types it at the official site meanwhile.
  row(
    'take',
    ['checked'],
    'checked',
    ['agent', 'supervisor'],
    ['assignedToSelf', ...GUARDS_TO_TAKE_FOR_ENTRY],
  ),
  row('request', ['in_review'], 'action_required', ['assignee'], ['reasonGiven', 'fieldsNamed']),
  row('respond', ['action_required'], 'in_review', ['owner'], ['requestedFieldsOnly']),
  row('check', ['in_review'], 'checked', ['assignee'], ['tasksDone']),
  row('send_back', ['checked'], 'in_review', ['assignee', 'supervisor'], ['reasonGiven']),
  row('enter', ['checked'], 'fee_due', ['assignee'], [...GUARDS_TO_ENTER, 'payByKnown'], {
    setting: 'feeByTraveller',
  }),
  // Who pays the official fee while entering files at once.
  row('enter', ['checked'], 'filed', ['assignee'], [...GUARDS_TO_ENTER, 'officialPaymentSeen'], {
    setting: 'feeByOperator',
  }),
  row('file', ['fee_due'], 'filed', ['assignee'], ['notChecker', 'officialPaymentSeen']),
  // The official site has dropped the unpaid application: it must be entered once more.
  row('fee_lapse', ['fee_due'], 'checked', ['system'], ['payByPassed']),
  row('lapse', ['action_required'], 'cancelled', ['system'], ['answerOverdue']),
  row('outcome', ['filed'], 'approved', ['agent'], ['validUntilGiven'], CHOSEN),
  row('outcome', ['filed'], 'not_authorized', ['agent'], [], CHOSEN),
  row('correct', ['not_authorized'], 'approved', ['supervisor'], CORRECTED, CHOSEN),
  row('correct', ['approved'], 'not_authorized', ['supervisor'], ['reasonGiven'], CHOSEN),
  // What was marked too early goes back by one.
  row('correct', ['fee_due'], 'checked', ['assignee', 'supervisor'], ['reasonGiven'], CHOSEN),
  row('correct', ['filed'], 'fee_due', ['assignee', 'supervisor'], ['reasonGiven'], {
    ...{ setting: 'feeByTraveller', isChosen: true },
  }),
  row('correct', ['filed'], 'checked', ['assignee', 'supervisor'], ['reasonGiven'], {
    ...{ setting: 'feeByOperator', isChosen: true },
  }),
  row('correct', DECIDED, 'filed', ['supervisor'], ['reasonGiven'], CHOSEN),
  row('cancel', [...UNPAID, ...UNDER_PROMISE, 'fee_due'], 'cancelled', ['owner', 'supervisor'], []),
  row('expire', UNPAID, 'expired', ['system'], ['idle']),
];

type Row = (typeof ROWS)[number];

export type ApplicationEvent = Row['event'];
/** What must be so for a move. The caller finds out, in the transaction that makes the move. */
export type Guard = Row['guards'][number] | NonNullable<Row['setting']>;
export type MoveConditions = Readonly<Partial<Record<Guard, boolean>>>;
export type Move = Omit<Row, 'guards' | 'setting'> & { guards: readonly Guard[]; setting?: Guard };

export const MOVES: readonly Move[] = ROWS;
export const GUARDS = [...new Set(MOVES.flatMap(guardsOf))];

export type Moved =
  | { to: ApplicationState; refused?: undefined }
  | { refused: 'state' | 'actor'; to?: undefined }
  | { refused: 'guard'; guard: Guard; to?: undefined };

type Asked = {
  actor: Actor | readonly Actor[];
  facts: MoveConditions;
  to?: ApplicationState | undefined;
};

export function move(
  state: ApplicationState,
  event: ApplicationEvent,
  { actor, facts, to }: Asked,
): Moved {
  const known = movesFrom(state).filter(
    (row) => row.event === event && (row.to === to || (to === undefined && !row.isChosen)),
  );
  if (!known.length) return { refused: 'state' };
  const allowed = known.filter((row) => mayMake(row, actor));
  const row = allowed.find(({ setting }) => !setting || facts[setting]) ?? allowed[0];
  if (!row) return { refused: 'actor' };
  const guard = guardsOf(row).find((name) => !facts[name]);
  return guard ? { refused: 'guard', guard } : { to: row.to };
}

/** Whatever the guards say: which buttons a page has. */
export function eventsFrom(state: ApplicationState, actor: Actor | readonly Actor[]) {
  const rows = movesFrom(state).filter((row) => mayMake(row, actor));
  return [...new Set(rows.map(({ event }) => event))];
}

export function guardsOf({ setting, guards }: Move): readonly Guard[] {
  return setting ? [setting, ...guards] : guards;
}

export const isEnded = (state: ApplicationState): boolean =>
  movesFrom(state).every(({ event }) => event === 'correct');

/** A supervisor to whom it is assigned is both; auditors and admins move nothing. */
export function staffActors(role: StaffRole, isAssigned: boolean): Actor[] {
  if (!may(role, 'case.move')) return [];
  const actor = role as Extract<StaffRole, Actor>;
  return isAssigned ? [actor, 'assignee'] : [actor];
}

/** With `fourEyes` nobody files what they have checked themselves. */
export const settingFacts = (
  { fourEyes, officialFee }: { fourEyes: boolean; officialFee: 'traveller' | 'operator' },
  isChecker: boolean,
): MoveConditions => ({
  notChecker: !fourEyes || !isChecker,
  feeByTraveller: officialFee === 'traveller',
  feeByOperator: officialFee === 'operator',
});

const movesFrom = (state: ApplicationState): Move[] =>
  MOVES.filter(({ from }) => from.includes(state));

const mayMake = ({ who }: Move, actor: Actor | readonly Actor[]): boolean =>
  [actor].flat().some((one) => who.includes(one) || (one === 'assignee' && who.includes('agent')));

/** Whether the desk has a case of it: what nobody has paid for is its owner's alone, also once given up. */
export const isCase = ({ state, due_at }: { state: ApplicationState; due_at: string | null }) =>
  !UNPAID.includes(state) && due_at !== null;

export type TravellerState = Exclude<ApplicationState, (typeof WORKING)[number]> | 'checking';

export const travellerState = (state: ApplicationState): TravellerState =>
  isOneOf(WORKING, state) ? 'checking' : state;

export interface Station {
  name: StationName | 'ended';
  state: 'done' | 'now' | 'ahead' | 'skipped';
  at?: string | undefined;
}

const ENDS: Record<StationName, readonly ApplicationState[]> = {
  answers: ['awaiting_payment'],
  payment: ['paid'],
  review: ['checked'],
  filing: ['filed'],
  decision: DECIDED,
};

/** How far on the route across the sea, from 0 to 1; null: it does not arrive. */
export function routeDone(state: ApplicationState): number | null {
  const { at } = stateRow(state);
  if (at === 'ended' || state === 'not_authorized') return null;
  return at === 'passed' ? 1 : STATIONS.indexOf(at) / STATIONS.length;
}

export type PastMove = { at: string; to: ApplicationState };

/** @param moves in their order; the latest of a kind counts, as an application may go back */
export function stationsOf(state: ApplicationState, moves: readonly PastMove[]): Station[] {
  const endOf = (names: readonly ApplicationState[]) =>
    moves.findLast(({ to }) => names.includes(to))?.at;
  const { at: place } = stateRow(state);
  if (place === 'ended') {
    const passed = STATIONS.map((name) => ({ name, at: endOf(ENDS[name]) }));
    return [
      ...passed.map((one) => ({
        ...one,
        state: one.at ? ('done' as const) : ('skipped' as const),
      })),
      { name: 'ended', state: 'now', at: endOf([state]) },
    ];
  }
  const here = place === 'passed' ? STATIONS.length : STATIONS.indexOf(place);
  return STATIONS.map((name, index): Station => {
    if (index >= here) return { name, state: index === here ? 'now' : 'ahead' };
    return { name, state: 'done', at: endOf(ENDS[name]) };
  });
}
