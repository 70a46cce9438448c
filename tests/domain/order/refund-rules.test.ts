import { describe, expect, it } from 'vitest';

import {
  amountProblem,
  type DeskEvent,
  deskEvents,
  deskProblem,
  leftToRefund,
  refundedSoFar,
  refundEvent,
} from '~/domain/order/refund-rules';
import { ORDER_STATES, orderMove, REFUND_STATES, type RefundState } from '~/domain/order/states';
import { STAFF_ROLES } from '~/domain/staff';

/** What each state lets whom do, if another has proposed and nobody disputes the payment. */
const MAY: Record<RefundState, { agent: DeskEvent[]; supervisor: DeskEvent[] }> = {
  requested: { agent: ['propose'], supervisor: ['propose', 'refuse'] },
  proposed: { agent: ['propose'], supervisor: ['propose', 'approve', 'refuse'] },
  approved: { agent: [], supervisor: [] },
  sent: { agent: [], supervisor: [] },
  settled: { agent: [], supervisor: [] },
  failed: { agent: [], supervisor: ['retry'] },
  refused: { agent: [], supervisor: [] },
};

describe('who decides what', () => {
  const usual = { order: 'paid', isProposer: false, fourEyes: true } as const;

  it.each(REFUND_STATES)('of a refund that is %s', (state) => {
    for (const role of STAFF_ROLES) {
      const expected = role === 'agent' || role === 'supervisor' ? MAY[state][role] : [];
      expect([role, deskEvents({ ...usual, state, role })]).toEqual([role, expected]);
    }
  });

  it('nobody approves what they proposed, unless one person is enough', () => {
    const own = { ...usual, state: 'proposed', role: 'supervisor', isProposer: true } as const;
    expect(deskProblem('approve', own)).toBe('own');
    expect(deskProblem('approve', { ...own, fourEyes: false })).toBeUndefined();
    // To refuse, or to propose another amount, moves no money.
    expect(deskEvents(own)).toEqual(['propose', 'refuse']);
  });

  it.each(ORDER_STATES)('nothing is sent while an order is disputed: %s', (order) => {
    const problem = order === 'disputed' ? 'disputed' : undefined;
    const proposed = { ...usual, order, state: 'proposed', role: 'supervisor' } as const;
    expect(deskProblem('approve', proposed)).toBe(problem);
    expect(deskProblem('retry', { ...proposed, state: 'failed' })).toBe(problem);
    expect(deskProblem('propose', proposed)).toBeUndefined();
  });
});

describe('how much', () => {
  it.each<[DeskEvent, string, string | undefined, ...number[]]>([
    ['propose', '', undefined, 3995],
    ['propose', '', 'reason', 3994],
    ['propose', 'A part.', undefined, 1, 3994],
    ['propose', 'More.', 'left', 3996],
    ['propose', 'Nothing.', 'amount', 0, -1, 0.5, NaN],
    ['approve', '', undefined, 3995, 100],
    ['approve', '', 'left', 3996],
    ['retry', '', undefined, 1000],
    ['retry', '', 'left', 3996],
    ['refuse', '', 'reason', 3995],
    ['refuse', 'It was filed.', undefined, 3995, 9999],
  ])('to %s with “%s”: %s, of %j', (event, reason, problem, ...amounts) => {
    for (const amount of amounts) {
      expect(amountProblem(event, { amount, left: 3995, reason })).toBe(problem);
    }
  });

  it('what was refused or failed takes nothing of what is left; what is asked for does', () => {
    for (const state of REFUND_STATES) {
      const refunds = [
        { state, amount_cents: 1000 },
        { state: 'settled', amount_cents: 500 },
      ] as const;
      const isFree = state === 'refused' || state === 'failed';
      expect([state, leftToRefund(3995, refunds)]).toEqual([state, isFree ? 3495 : 2495]);
      const isGone = state === 'sent' || state === 'settled';
      expect([state, refundedSoFar(refunds)]).toEqual([state, isGone ? 1500 : 500]);
    }
    // What a provider has sent may be more: it is never less than nothing.
    expect(leftToRefund(100, [{ state: 'settled', amount_cents: 101 }])).toBe(0);
  });

  it.each([
    ['paid', 1, 'part_refunded'],
    ['paid', 3995, 'refunded'],
    ['part_refunded', 3994, 'part_refunded'],
    ['part_refunded', 3995, 'refunded'],
    ['part_refunded', 4000, 'refunded'],
    // It stays what it is.
    ['refunded', 3995, undefined],
    ['disputed', 3995, undefined],
  ] as const)('an order that is %s is with %d cents %s', (state, refunded, after) => {
    const sums = { paid: 3995, refunded };
    expect(orderMove(state, refundEvent(sums), sums)).toBe(after);
  });
});
