import { expect, it } from 'vitest';

import {
  amountProblem,
  type DeskEvent,
  deskEvents,
  deskProblem,
  leftToRefund,
  readAmount,
  refundedSoFar,
  refundEvent,
  refundWay,
  typedAmount,
} from '~/domain/order/refund-rules';
import { orderMove, type OrderState, REFUND_STATES, type RefundState } from '~/domain/order/states';
import { repeatable } from '~/domain/order/withdrawal';
import type { StaffRole } from '~/access';
import { decisionTables } from '../../decision-tables';

const TIMES = {
  created_at: '2026-11-26T12:00:00.000Z',
  approved_at: '2026-11-27T12:00:00.000Z',
  sent_at: '2026-11-28T12:00:00.000Z',
  settled_at: '2026-11-29T12:00:00.000Z',
};

decisionTables(import.meta.url, {
  'what staff may do with a refund: its state, theirs or not, the order': (
    role,
    state,
    whose,
    order,
  ) =>
    deskEvents({
      ...{ role: role as StaffRole, state: state as RefundState, order: order as OrderState },
      ...{ isProposer: whose === 'own', fourEyes: whose !== 'own, two eyes' },
    }).join(' ') || undefined,
  'what keeps a supervisor from it': (event, state, whose, order) =>
    deskProblem(event as DeskEvent, {
      ...{ role: 'supervisor', state: state as RefundState, order: order as OrderState },
      ...{ isProposer: whose !== 'other', fourEyes: whose !== 'own, two eyes' },
    }),
  'what is wrong with an amount, of 3995 cents': (event, amount, reason) =>
    amountProblem(event as DeskEvent, { amount: Number(amount), left: 3995, reason }),
  'what becomes of an order of which so much went back': (state, refunded) => {
    const sums = { paid: 3995, refunded: Number(refunded) };
    return orderMove(state as OrderState, refundEvent(sums), sums);
  },
  // What is done, where it is (>), what is ahead (?), and with its time (@) what has one.
  'the way of a refund': (state) =>
    refundWay({ ...TIMES, state: state as RefundState })
      .map(({ name, state: where, at }) => {
        const mark = { done: '', now: '>', ahead: '?' }[where];
        return mark + name + (at === undefined ? '' : `@${at.slice(8, 10)}`);
      })
      .join(' '),
  'cents as they are typed': readAmount,
  'a name in a mail': (name) => repeatable({ name, reference: 'x' }).name,
  'a reference in a mail': (reference) => repeatable({ name: 'x', reference }).reference,
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

it('what stands in a field is read back as the same', () => {
  for (const cents of [1, 10, 99, 100, 3995, 99_999, 1_234_567]) {
    for (const mark of [',', '.'] as const)
      expect(readAmount(typedAmount(cents, mark))).toBe(cents);
  }
  expect(typedAmount(3990, ',')).toBe('39,90');
});
