import { expect, it } from 'vitest';

import { refundWay } from '~/domain/order/refund-rules';
import type { RefundState } from '~/domain/order/states';
import { repeatable } from '~/domain/order/withdrawal';

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
] as const)('of a refund that is %s: %s', (state, way) => expect(read(state)).toBe(way));

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
