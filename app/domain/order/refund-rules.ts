import { may, type StaffRole } from '~/access';
import type { Form } from '~/domain/form';
import { type Cents, centsOf } from '~/domain/offer';
import { type OrderEvent, type OrderState, refundMove, type RefundState } from './states';

type Share = Readonly<{ state: RefundState; amount_cents: Cents }>;

const sumOf = (shares: readonly Share[]) =>
  shares.reduce((sum, { amount_cents }) => sum + amount_cents, 0);

/** What of a price is not given back yet, nor about to be: only what was refused or failed does not count. */
export function leftToRefund(paid: Cents, refunds: readonly Share[]): Cents {
  const taken = refunds.filter(({ state }) => state !== 'refused' && state !== 'failed');
  return Math.max(0, paid - sumOf(taken));
}

export const refundedSoFar = (refunds: readonly Share[]): Cents =>
  sumOf(refunds.filter(({ state }) => state === 'sent' || state === 'settled'));

export const refundEvent = (sums: { paid: Cents; refunded: Cents }): OrderEvent =>
  sums.refunded >= sums.paid ? 'refund_rest' : 'refund_part';

export const isUndecided = (state: RefundState): boolean =>
  state === 'requested' || state === 'proposed';

export const DESK_EVENTS = ['propose', 'approve', 'refuse', 'retry'] as const;
export type DeskEvent = (typeof DESK_EVENTS)[number];

/** How much, and why not everything; the reason goes to the traveller. */
export const PROPOSAL_FORM = [
  { name: 'amount', type: 'text', required: true, max_length: 20, inputmode: 'decimal' },
  { name: 'reason', type: 'textarea', required: false, unmarked: true, max_length: 1000 },
] as const satisfies Form;

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

export const NEXT_STEPS = { requested: 'propose', proposed: 'approve', failed: 'retry' } as const;

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

export const deskEvents = (refund: RefundCase): DeskEvent[] =>
  DESK_EVENTS.filter((event) => deskProblem(event, refund) === undefined);

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

export const REFUND_FORM = [
  { name: 'reason', type: 'textarea', required: false, max_length: 1000 },
] as const satisfies Form;

interface RefundStation {
  name: (typeof WAY)[number] | 'refused';
  state: 'done' | 'now' | 'ahead';
  at?: string;
}

interface RefundTimes {
  state: RefundState;
  created_at: string;
  approved_at: string | null;
  sent_at: string | null;
  settled_at: string | null;
}

const WAY = ['asked', 'checking', 'approved', 'sent', 'arrived'] as const;

const WHERE: Record<Exclude<RefundState, 'refused'>, (typeof WAY)[number]> = {
  requested: 'checking',
  proposed: 'checking',
  approved: 'approved',
  // It is sent anew: for the traveller it has not left yet.
  failed: 'approved',
  sent: 'sent',
  settled: 'arrived',
};

export function refundWay(refund: RefundTimes): RefundStation[] {
  const { state, created_at, approved_at, sent_at, settled_at } = refund;
  const asked = { name: 'asked', state: 'done', at: created_at } as const;
  if (state === 'refused') {
    return [asked, { name: 'checking', state: 'done' }, { name: 'refused', state: 'now' }];
  }
  const times: Partial<Record<string, string | null>> = {
    asked: created_at,
    approved: approved_at,
    sent: state === 'failed' ? null : sent_at,
    arrived: settled_at,
  };
  const here = WAY.indexOf(WHERE[state]);
  return WAY.map((name, index) => {
    const at = index <= here ? times[name] : null;
    return {
      name,
      state: index < here ? 'done' : index === here ? 'now' : 'ahead',
      ...(at != null && { at }),
    };
  });
}

const AROUND = /^(?:€|EUR|US\$|\$|USD)|(?:€|EUR|US\$|\$|USD)$/gi;

/** `39,95`, `39.95`, `40 €`. Marks between thousands are not guessed at: `1.234` could be both. */
export const readAmount = (typed: string): Cents | undefined =>
  centsOf(typed.replace(/\s/g, '').replace(AROUND, '').replace(',', '.'));

export const typedAmount = (cents: Cents, mark: ',' | '.'): string =>
  (cents / 100).toFixed(2).replace('.', mark);
