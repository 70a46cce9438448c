import type { ApplicationState } from './application/states';
import type { StaffRole } from './staff';

/*
 * Who of the staff may do what with a case (live-mode.md, the table of roles). Moves from state to
 * state are decided by the table of states; this is what the desk shows and lets people write.
 */

/** Why somebody opens a case that is not theirs. Codes: the audit keeps them, and no text. */
export const OPENING_REASONS = ['question', 'complaint', 'quality', 'absence', 'refund'] as const;
export type OpeningReason = (typeof OPENING_REASONS)[number];

/** What somebody of the staff may do with a case. */
export interface CaseRights {
  /**
   * `full`: answers and documents; `reason`: after saying why; `summary`: state and dates only.
   */
  view: 'full' | 'reason' | 'summary';
  /** Change answers, with a reason, until the application is entered at the authorities. */
  amend: boolean;
  /** Write notes. */
  note: boolean;
  /** Give it to somebody else, or back to all. */
  reassign: boolean;
  /** Hold it back from deletion. */
  hold: boolean;
}

const AMENDABLE: readonly ApplicationState[] = ['in_review'];

/** While the values for the official form are shown: to enter them, and to look them up afterwards. */
export const SHEET_STATES: readonly ApplicationState[] = ['checked', 'fee_due', 'filed'];

/**
 * The rights of somebody of the staff in a case.
 *
 * @param gaveReason whether a supervisor to whom it is not assigned has said why
 */
export function caseRights({
  role,
  isAssigned,
  isAssignedToNobody,
  state,
  gaveReason,
}: {
  role: StaffRole;
  isAssigned: boolean;
  isAssignedToNobody: boolean;
  state: ApplicationState;
  gaveReason: boolean;
}): CaseRights {
  const isSupervisor = role === 'supervisor';
  // A checked application is entered by another agent than who checked it: each may look at it.
  const isNextToFile = role === 'agent' && state === 'checked';
  const isOpen = isAssigned || isNextToFile || (isSupervisor && gaveReason);
  const view = isOpen ? 'full' : isSupervisor ? 'reason' : 'summary';
  return {
    view,
    amend: isOpen && (isAssigned || isSupervisor) && AMENDABLE.includes(state),
    note: isOpen,
    reassign: isSupervisor || (isAssigned && !isAssignedToNobody),
    hold: isSupervisor,
  };
}
