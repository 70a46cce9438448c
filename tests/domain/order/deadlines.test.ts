import { expect, it } from 'vitest';

import {
  businessDaysAfter,
  lastWithdrawalDay,
  refundDueDay,
  standingOn,
} from '~/domain/order/deadlines';

it.each<[string, Record<number, string>]>([
  // A Monday, a Friday, a Saturday and a Sunday.
  ['2026-11-23', { 0: '2026-11-23', 1: '2026-11-24', 5: '2026-11-30', 10: '2026-12-07' }],
  ['2026-11-27', { 1: '2026-11-30' }],
  ['2026-11-28', { 1: '2026-11-30' }],
  ['2026-11-29', { 1: '2026-11-30', 10: '2026-12-11' }],
  // Over the year’s end; public holidays are not left out.
  ['2026-12-31', { 1: '2027-01-01' }],
  // Over a change of the clock.
  ['2026-10-23', { 1: '2026-10-26' }],
  ['2028-02-28', { 2: '2028-03-01' }],
])('business days after %s, by their count: %j', (day, ends) => {
  for (const [count, after] of Object.entries(ends)) {
    expect([count, businessDaysAfter(day, Number(count))]).toEqual([count, after]);
  }
});

it.each([
  ['2026-11-26', '2026-12-10'],
  // It would end on a Saturday, or a Sunday.
  ['2026-11-28', '2026-12-14'],
  ['2026-11-29', '2026-12-14'],
])('the last day to withdraw from a contract of %s is %s', (day, last) => {
  expect(lastWithdrawalDay(day)).toBe(last);
});

it.each([
  ['2026-11-26', 30, 'withdrawal'],
  ['2026-12-10', 30, 'withdrawal'],
  ['2026-12-11', 30, 'guarantee'],
  ['2026-12-26', 30, 'guarantee'],
  ['2026-12-27', 30, 'over'],
  ['2026-12-10', 0, 'withdrawal'],
  ['2026-12-11', 0, 'over'],
])('who wants the price back on %s, with %d days, has: %s', (day, guaranteeDays, standing) => {
  expect(standingOn(day, { contractDay: '2026-11-26', guaranteeDays })).toBe(standing);
});

// The law counts days, our promise business days.
it.each([
  ['withdrawal', '2026-12-10'],
  ['late_payment', '2026-12-10'],
  ['guarantee', '2026-12-03'],
  ['cancellation', '2026-12-03'],
  ['goodwill', '2026-12-03'],
] as const)('a refund of the kind %s, asked for on 26 November, is due on %s', (kind, due) => {
  expect(refundDueDay(kind, '2026-11-26', 5)).toBe(due);
});
