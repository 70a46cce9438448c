export type OrderState =
  | ('created' | 'expired' | 'failed')
  | ('paid' | 'part_refunded' | 'refunded' | 'disputed');

type OrderMove = { from: readonly OrderState[]; to: OrderState | 'as_refunded' };
const ORDER_MOVES = {
  // Money that comes late, or after an attempt that failed, is money still.
  pay: { from: ['created', 'expired', 'failed'], to: 'paid' },
  expire: { from: ['created'], to: 'expired' },
  fail: { from: ['created'], to: 'failed' },
  refund_part: { from: ['paid', 'part_refunded'], to: 'part_refunded' },
  refund_rest: { from: ['paid', 'part_refunded'], to: 'refunded' },
  dispute: { from: ['paid', 'part_refunded', 'refunded'], to: 'disputed' },
  // As it was before, by what was refunded.
  dispute_won: { from: ['disputed'], to: 'as_refunded' },
  dispute_lost: { from: ['disputed'], to: 'refunded' },
} as const satisfies Record<string, OrderMove>;
export type OrderEvent = keyof typeof ORDER_MOVES;

export function orderMove(
  state: OrderState,
  event: OrderEvent,
  { paid, refunded }: { paid: number; refunded: number },
): OrderState | undefined {
  const { from, to }: OrderMove = ORDER_MOVES[event];
  if (!from.includes(state)) return undefined;
  if (to !== 'as_refunded') return to;
  if (refunded >= paid) return 'refunded';
  return refunded > 0 ? 'part_refunded' : 'paid';
}

export const REFUND_STATES = [
  'requested',
  'proposed',
  'approved',
  'sent',
  'settled',
  'failed',
  'refused',
] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export type RefundEvent = 'propose' | 'approve' | 'refuse' | 'send' | 'settle' | 'fail' | 'retry';

const REFUND_MOVES: Record<RefundEvent, { from: readonly RefundState[]; to: RefundState }> = {
  // Another amount is a new proposal.
  propose: { from: ['requested', 'proposed'], to: 'proposed' },
  approve: { from: ['proposed'], to: 'approved' },
  refuse: { from: ['requested', 'proposed'], to: 'refused' },
  send: { from: ['approved'], to: 'sent' },
  settle: { from: ['sent'], to: 'settled' },
  // A bank can send money back after it had arrived.
  fail: { from: ['approved', 'sent', 'settled'], to: 'failed' },
  retry: { from: ['failed'], to: 'approved' },
};

export function refundMove(state: RefundState, event: RefundEvent): RefundState | undefined {
  const { from, to } = REFUND_MOVES[event];
  return from.includes(state) ? to : undefined;
}

export const REFUND_KINDS = [
  'withdrawal',
  'guarantee',
  'cancellation',
  'goodwill',
  'late_payment',
  'dispute',
] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

export const START_CHOICES = ['now', 'after_14_days'] as const;
export type StartChoice = (typeof START_CHOICES)[number];

/** `repeated`: of an order that was withdrawn from before; `late`: the right had ended. */
export type WithdrawalOutcome = 'matched' | 'repeated' | 'late' | 'unmatched';
