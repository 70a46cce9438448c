import { extentOf, may, type Right, type StaffRole } from '~/access';
import { type ApplicationState, ENTERED } from './application/states';
import type { Form } from './form';

/** Why somebody opens a case that is not theirs. Codes: the audit keeps them, and no text. */
export const OPENING_REASONS = ['question', 'complaint', 'quality', 'absence', 'refund'] as const;
export type OpeningReason = (typeof OPENING_REASONS)[number];

/** Why a case is not deleted when its time is over. Codes, as well. */
export const HOLD_REASONS = ['dispute', 'complaint', 'legal_claim', 'authority'] as const;

export const ASSIGNMENT_INTENTS = [
  'take',
  'release',
  'assign',
  'hold',
  'unhold',
  'cancel',
] as const;
export type AssignmentIntent = (typeof ASSIGNMENT_INTENTS)[number];

/** Stations at whose end the same press leads on to the next case. */
export const FINISHED = ['check', 'enter', 'outcome'] as const;
export type Finished = (typeof FINISHED)[number];

export const CASE_NOTE_FORM = [
  { name: 'note', type: 'textarea', required: true, max_length: 2000 },
] as const satisfies Form;

export const hasSheet = (state: ApplicationState) => state === 'checked' || ENTERED.includes(state);

const OWN_SLIP_MS = 10 * 60 * 1000;

interface NumberCase {
  role: StaffRole;
  userId: string;
  row: {
    state: ApplicationState;
    filed_by: string | null;
    entered_at: string | null;
    filed_at: string | null;
  };
}

/** For ever, or until an instant; undefined: not, or not any more. */
export function canCorrectNumber(
  { role, userId, row: { state, filed_by, entered_at, filed_at } }: NumberCase,
  now: Date,
  what: 'number' | 'step' = 'number',
): 'always' | Date | undefined {
  const since = what === 'step' ? (filed_at ?? entered_at) : entered_at;
  if (!ENTERED.includes(state)) return undefined;
  if (may(role, 'case.correctNumber')) return 'always';
  const isOwn = filed_by === userId;
  if (!may(role, 'case.correctNumber', { isOwn }) || since === null) return undefined;
  const until = new Date(Date.parse(since) + OWN_SLIP_MS);
  return now < until ? until : undefined;
}

/** `full`: answers and documents; `reason`: after saying why; `summary`: state and dates only. */
type CaseView = 'full' | 'reason' | 'summary';

export function caseRights({
  role,
  isAssigned,
  state,
  gaveReason,
}: {
  role: StaffRole;
  isAssigned: boolean;
  state: ApplicationState;
  gaveReason: boolean;
}) {
  const relation = { isAssigned, gaveReason };
  const has = (right: Right) => may(role, right, relation);
  const isAsked = extentOf(role, 'case.view') === 'assignedOrReason';
  const view: CaseView = has('case.view') ? 'full' : isAsked ? 'reason' : 'summary';
  return {
    view,
    amend: has('case.amend') && state === 'in_review',
    note: has('case.note'),
    take: has('case.take'),
    release: has('case.release'),
    assign: has('case.assign'),
    hold: has('case.hold'),
    cancel: has('case.cancel'),
  };
}

export type CaseRights = ReturnType<typeof caseRights>;

/** « Hartley, Olivia »: in capitals names are only where they are compared, or typed elsewhere. */
export const asWritten = (name: string): string =>
  name.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (first) => first.toUpperCase());
