import { may } from '~/access';
import type { Form } from '../form';
import type { Cents } from '../offer';
import type { StaffRole } from '../staff';
import { type OrderEvent, type OrderState, refundMove, type RefundState } from './states';

/*
 * Who gives money back, and how much: rules without a database. Who asks them holds the order's row, so
 * that what is left stays as it was read.
 */

type Share = Readonly<{ state: RefundState; amount_cents: Cents }>;

const sumOf = (shares: readonly Share[]) =>
  shares.reduce((sum, { amount_cents }) => sum + amount_cents, 0);

/** What of a price is not given back yet, nor about to be: only what was refused or failed does not count. */
export function leftToRefund(paid: Cents, refunds: readonly Share[]): Cents {
  const taken = refunds.filter(({ state }) => state !== 'refused' && state !== 'failed');
  return Math.max(0, paid - sumOf(taken));
}

export function refundedSoFar(refunds: readonly Share[]): Cents {
  return sumOf(refunds.filter(({ state }) => state === 'sent' || state === 'settled'));
}

/** What happens to an order when money was given back. */
export function refundEvent(sums: { paid: Cents; refunded: Cents }): OrderEvent {
  return sums.refunded >= sums.paid ? 'refund_rest' : 'refund_part';
}

/** Whether a refund waits for somebody's decision. */
export function isUndecided(state: RefundState): boolean {
  return state === 'requested' || state === 'proposed';
}

/** What staff do to a refund; the site itself does the rest. */
export const DESK_EVENTS = ['propose', 'approve', 'refuse', 'retry'] as const;
export type DeskEvent = (typeof DESK_EVENTS)[number];

/** How much, and why not everything; the reason goes to the traveller. */
export const PROPOSAL_FORM = [
  { name: 'amount', type: 'text', required: true, max_length: 20, inputmode: 'decimal' },
  { name: 'reason', type: 'textarea', required: false, unmarked: true, max_length: 1000 },
] as const satisfies Form;

/** Why nothing; it goes to the traveller. */
export const REFUSAL_FORM = [
  { name: 'reason', type: 'textarea', required: true, max_length: 1000 },
] as const satisfies Form;

export interface RefundCase {
  state: RefundState;
  order: OrderState;
  role: StaffRole;
  isProposer: boolean;
  /** The setting: two people for money. */
  fourEyes: boolean;
}

export type RefundProblem = 'state' | 'role' | 'own' | 'disputed' | 'amount' | 'left' | 'reason';

/** Why somebody of the staff cannot do something to a refund at all; undefined if they can. */
export function deskProblem(
  event: DeskEvent,
  { state, order, role, isProposer, fourEyes }: RefundCase,
): RefundProblem | undefined {
  if (!may(role, `refund.${event}`)) return 'role';
  if (refundMove(state, event) === undefined) return 'state';
  // Money that a bank may take back is not sent, too.
  if ((event === 'approve' || event === 'retry') && order === 'disputed') return 'disputed';
  if (event === 'approve' && isProposer && fourEyes) return 'own';
  return undefined;
}

/** What somebody of the staff can do to a refund, in the order of the way: which forms a page has. */
export function deskEvents(refund: RefundCase): DeskEvent[] {
  return DESK_EVENTS.filter((event) => deskProblem(event, refund) === undefined);
}

/**
 * Why a decision with this amount and reason is not taken; undefined if it is.
 *
 * @param left what could be given back if this refund were not there
 */
export function amountProblem(
  event: DeskEvent,
  { amount, left, reason }: { amount: Cents; left: Cents; reason: string },
): RefundProblem | undefined {
  if (event === 'refuse') return reason === '' ? 'reason' : undefined;
  if (!Number.isSafeInteger(amount) || amount < 1) return 'amount';
  if (amount > left) return 'left';
  // Who gets less than everything is told why.
  return event === 'propose' && amount < left && reason === '' ? 'reason' : undefined;
}
