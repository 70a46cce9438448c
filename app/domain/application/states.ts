import { may } from '~/access';
import type { StaffRole } from '../staff';

/*
 * The life of an application as one table (live-mode.md, status and work). It decides which move may be
 * made; who makes it writes the new state by compare-and-set, with an audit event, in one transaction.
 * docs/application-states.md shows it: `npm run docs:states`.
 */

/** What an application can be, in the order of its way. The column's check has the same list. */
export const STATES = [
  'draft',
  'awaiting_payment',
  'paid',
  'in_review',
  'action_required',
  'checked',
  'fee_due',
  'filed',
  'approved',
  'not_authorized',
  'cancelled',
  'expired',
] as const;
export type ApplicationState = (typeof STATES)[number];

/*
 * Groups of states, each named once. Who makes a new state puts it into those that it belongs to.
 */
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

/** Whether a state is of a group; the compiler knows then which are left. */
export const isOneOf = <S extends ApplicationState>(
  group: readonly S[],
  state: ApplicationState,
): state is S => (group as Group).includes(state);

/**
 * What can happen to an application. Assigning, releasing and the tasks that appear after filing change
 * no state: they are not in the table.
 */
export const EVENTS = [
  'certify',
  'reopen',
  'pay',
  'take',
  'request',
  'respond',
  'check',
  'send_back',
  'enter',
  'file',
  'fee_lapse',
  'lapse',
  'outcome',
  'correct',
  'cancel',
  'expire',
] as const;
export type ApplicationEvent = (typeof EVENTS)[number];

/**
 * Who makes a move. The assignee is the member of staff to whom the application is assigned, and may
 * what an agent may.
 */
export const ACTORS = ['owner', 'system', 'agent', 'assignee', 'supervisor'] as const;
export type Actor = (typeof ACTORS)[number];

/** What must be so for a move. The caller finds out, in the transaction that makes the move. */
export const GUARDS = [
  'stepsValid',
  'noOpenCheckout',
  'paymentVerified',
  'assignedToSelf',
  'started',
  'reasonGiven',
  'fieldsNamed',
  'askedFieldsOnly',
  'tasksDone',
  'notWithdrawn',
  'notChecker',
  'officialNumberGiven',
  'payByKnown',
  'feeByTraveller',
  'feeByOperator',
  'officialPaymentSeen',
  'payByPassed',
  'answerOverdue',
  'validUntilGiven',
  'untouched',
] as const;
export type Guard = (typeof GUARDS)[number];

/** What the caller has found out; what it does not mention does not hold. */
export type Facts = Readonly<Partial<Record<Guard, boolean>>>;

export interface Move {
  event: ApplicationEvent;
  from: readonly ApplicationState[];
  to: ApplicationState;
  who: readonly Actor[];
  guards: readonly Guard[];
  /** The setting that chooses between rows of the same event: its own row is the one that counts. */
  setting?: Guard;
  /** Whether the state is a person's choice: the caller names it. */
  isChosen?: true;
}

/** All moves that there are; everything else is refused. */
export const MOVES: readonly Move[] = [
  {
    event: 'certify',
    from: ['draft'],
    to: 'awaiting_payment',
    who: ['owner'],
    guards: ['stepsValid'],
  },
  {
    event: 'reopen',
    from: ['awaiting_payment'],
    to: 'draft',
    who: ['owner'],
    guards: ['noOpenCheckout'],
  },
  {
    event: 'pay',
    from: ['awaiting_payment'],
    to: 'paid',
    who: ['system'],
    guards: ['paymentVerified'],
  },
  {
    // The table of roles lets supervisors take, too.
    event: 'take',
    from: ['paid'],
    to: 'in_review',
    who: ['agent', 'supervisor'],
    guards: ['assignedToSelf', 'started'],
  },
  {
    event: 'request',
    from: ['in_review'],
    to: 'action_required',
    who: ['assignee'],
    guards: ['reasonGiven', 'fieldsNamed'],
  },
  {
    event: 'respond',
    from: ['action_required'],
    to: 'in_review',
    who: ['owner'],
    guards: ['askedFieldsOnly'],
  },
  { event: 'check', from: ['in_review'], to: 'checked', who: ['assignee'], guards: ['tasksDone'] },
  {
    event: 'send_back',
    from: ['checked'],
    to: 'in_review',
    who: ['agent', 'supervisor'],
    guards: ['reasonGiven'],
  },
  {
    event: 'enter',
    from: ['checked'],
    to: 'fee_due',
    who: ['agent'],
    setting: 'feeByTraveller',
    guards: ['notWithdrawn', 'notChecker', 'officialNumberGiven', 'payByKnown'],
  },
  {
    // Who pays the official fee while entering files at once.
    event: 'enter',
    from: ['checked'],
    to: 'filed',
    who: ['agent'],
    setting: 'feeByOperator',
    guards: ['notWithdrawn', 'notChecker', 'officialNumberGiven', 'officialPaymentSeen'],
  },
  {
    // Entering assigns the application to who enters it; somebody may have assigned it anew since.
    event: 'file',
    from: ['fee_due'],
    to: 'filed',
    who: ['assignee'],
    guards: ['notChecker', 'officialPaymentSeen'],
  },
  {
    // The official site has dropped the unpaid application: it must be entered once more.
    event: 'fee_lapse',
    from: ['fee_due'],
    to: 'checked',
    who: ['system'],
    guards: ['payByPassed'],
  },
  {
    event: 'lapse',
    from: ['action_required'],
    to: 'cancelled',
    who: ['system'],
    guards: ['answerOverdue'],
  },
  {
    event: 'outcome',
    from: ['filed'],
    to: 'approved',
    who: ['agent'],
    isChosen: true,
    guards: ['validUntilGiven'],
  },
  {
    event: 'outcome',
    from: ['filed'],
    to: 'not_authorized',
    who: ['agent'],
    isChosen: true,
    guards: [],
  },
  {
    event: 'correct',
    from: ['not_authorized'],
    to: 'approved',
    who: ['supervisor'],
    isChosen: true,
    guards: ['reasonGiven', 'validUntilGiven'],
  },
  {
    event: 'correct',
    from: ['approved'],
    to: 'not_authorized',
    who: ['supervisor'],
    isChosen: true,
    guards: ['reasonGiven'],
  },
  {
    event: 'correct',
    from: DECIDED,
    to: 'filed',
    who: ['supervisor'],
    isChosen: true,
    guards: ['reasonGiven'],
  },
  {
    event: 'cancel',
    from: [...UNPAID, ...UNDER_PROMISE, 'fee_due'],
    to: 'cancelled',
    who: ['owner', 'supervisor'],
    guards: [],
  },
  {
    event: 'expire',
    from: UNPAID,
    to: 'expired',
    who: ['system'],
    guards: ['untouched'],
  },
];

/** The state that a move leads to; or why there is none, and the first guard that does not hold. */
export type Moved =
  | { to: ApplicationState; refused?: undefined }
  | { refused: 'state' | 'actor'; to?: undefined }
  | { refused: 'guard'; guard: Guard; to?: undefined };

/**
 * The state to which an event leads. Refused are, in this order: what the state does not know, or not
 * with this goal (`state`); who may not (`actor`); what is not so (`guard`).
 *
 * @param actor one actor, or all that one person is for this application (`staffActors`)
 * @param to the goal: needed where a person chooses it (`outcome`, `correct`); elsewhere it may be left
 *   out, and is refused if the event does not lead there
 */
export function move(
  state: ApplicationState,
  event: ApplicationEvent,
  {
    actor,
    facts,
    to,
  }: { actor: Actor | readonly Actor[]; facts: Facts; to?: ApplicationState | undefined },
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

/**
 * The events that somebody can cause in a state, in the order of the table, whatever their guards say:
 * which buttons a page has.
 */
export function eventsFrom(
  state: ApplicationState,
  actor: Actor | readonly Actor[],
): ApplicationEvent[] {
  const rows = movesFrom(state).filter((row) => mayMake(row, actor));
  return [...new Set(rows.map(({ event }) => event))];
}

export function guardsOf({ setting, guards }: Move): readonly Guard[] {
  return setting ? [setting, ...guards] : guards;
}

/** Whether nothing leads on from a state but the correction of a mistake. */
export const isEnded = (state: ApplicationState): boolean =>
  movesFrom(state).every(({ event }) => event === 'correct');

/**
 * What a member of staff is for an application. A supervisor to whom it is assigned is both supervisor
 * and assignee; auditors and admins move nothing.
 */
export function staffActors(role: StaffRole, isAssigned: boolean): Actor[] {
  if (!may(role, 'case.move')) return [];
  const actor = role as Extract<StaffRole, Actor>;
  return isAssigned ? [actor, 'assignee'] : [actor];
}

/**
 * The facts that settings decide (live-mode.md): with `fourEyes` nobody files what they have checked;
 * `officialFee` says who pays the authority.
 *
 * @param isChecker whether who makes the move has checked the application
 */
export function settingFacts(
  { fourEyes, officialFee }: { fourEyes: boolean; officialFee: 'traveller' | 'operator' },
  isChecker: boolean,
): Facts {
  return {
    notChecker: !fourEyes || !isChecker,
    feeByTraveller: officialFee === 'traveller',
    feeByOperator: officialFee === 'operator',
  };
}

function movesFrom(state: ApplicationState): Move[] {
  return MOVES.filter(({ from }) => from.includes(state));
}

function mayMake({ who }: Move, actor: Actor | readonly Actor[]): boolean {
  return [actor]
    .flat()
    .some((one) => who.includes(one) || (one === 'assignee' && who.includes('agent')));
}
