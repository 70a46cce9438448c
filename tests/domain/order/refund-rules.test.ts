import { describe, expect, it } from 'vitest';

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
import { ORDER_STATES, orderMove, REFUND_STATES, type RefundState } from '~/domain/order/states';
import { repeatable } from '~/domain/order/withdrawal';
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

const TIMES = {
  created_at: '2026-11-26T12:00:00.000Z',
  approved_at: '2026-11-27T12:00:00.000Z',
  sent_at: '2026-11-28T12:00:00.000Z',
  settled_at: '2026-11-29T12:00:00.000Z',
};

/** As a traveller reads it: what is done, where it is (>), and with its time (@) what has one. */
const read = (state: RefundState) =>
  refundWay({ ...TIMES, state })
    .map(({ name, state: where, at }) => {
      const mark = { done: '', now: '>', ahead: '?' }[where];
      return mark + name + (at === undefined ? '' : `@${at.slice(8, 10)}`);
    })
    .join(' ');

it.each([
  ['requested', 'asked@26 >checking ?approved ?sent ?arrived'],
  ['proposed', 'asked@26 >checking ?approved ?sent ?arrived'],
  ['approved', 'asked@26 checking >approved@27 ?sent ?arrived'],
  ['failed', 'asked@26 checking >approved@27 ?sent ?arrived'],
  ['sent', 'asked@26 checking approved@27 >sent@28 ?arrived'],
  ['settled', 'asked@26 checking approved@27 sent@28 >arrived@29'],
  ['refused', 'asked@26 checking >refused'],
] as const)('the way of a refund that is %s: %s', (state, way) => expect(read(state)).toBe(way));

it.each<[number | undefined, ...string[]]>([
  [3995, '39,95', '39.95', ' 39,95 € ', '39,95\u00a0€', '€39.95', 'US$39.95', '$ 39.95'],
  [3995, '39.95 usd', '39,95 EUR'],
  [3900, '39'],
  [3990, '39,9'],
  [1, '0,01'],
  [0, '0'],
  [123450, '1 234,50', '1\u202f234,50'],
  [undefined, '', '€', '-1', '39,955', '1.234', '1,234', '1.234,50', '1,234.50', '39,', ',95'],
  [undefined, '39,9,5', '1e3', '0x10', '३९', '39.95 £', '12345678901'],
])('%s cents are typed as %j', (cents, ...texts) => {
  for (const typed of texts) expect([typed, readAmount(typed)]).toEqual([typed, cents]);
});

it('what stands in a field is read back as the same', () => {
  for (const cents of [1, 10, 99, 100, 3995, 99_999, 1_234_567]) {
    for (const mark of [',', '.'] as const)
      expect(readAmount(typedAmount(cents, mark))).toBe(cents);
  }
  expect(typedAmount(3990, ',')).toBe('39,90');
});

it('a mail repeats of a name and a reference what is no address, number or code', () => {
  const names = {
    'Anna Zoé Müller-Lüdenscheidt': 'Anna Zoé Müller-Lüdenscheidt',
    'Dr. O’Brien': 'Dr O’Brien',
    'Nguyễn Văn': 'Nguyễn Văn',
    'Buy at http://evil.example/x?y': 'Buy at http evil example x y',
    'call 0900 123456': 'call',
    'evil.com': 'evil com',
    '{{site}} $t(mail:greeting)': 'site t mail greeting',
    ' 123': '–',
  };
  for (const [name, said] of Object.entries(names)) {
    expect(repeatable({ name, reference: 'x' }).name).toBe(said);
  }
  const references = ['TRV-4T7K-X0QD', 'trv 4t7k x0qd', 'https://evil.example'];
  const said = references.map((reference) => repeatable({ name: 'x', reference }).reference);
  expect(said).toEqual(['TRV-4T7K-X0QD', 'trv 4t7k x0qd', 'https evil example']);
});
