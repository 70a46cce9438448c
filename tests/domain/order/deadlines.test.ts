import { describe, expect, it } from 'vitest';

import {
  businessDaysAfter,
  lastGuaranteeDay,
  lastWithdrawalDay,
  refundDueDay,
  standingOn,
} from '~/domain/order/deadlines';

describe('business days', () => {
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
  ])('after %s, by their count: %j', (day, ends) => {
    for (const [count, after] of Object.entries(ends)) {
      expect([count, businessDaysAfter(day, Number(count))]).toEqual([count, after]);
    }
  });
});

describe('the last day of withdrawal', () => {
  it.each([
    ['2026-11-23', '2026-12-07'],
    ['2026-11-26', '2026-12-10'],
    // It would end on a Saturday, or a Sunday.
    ['2026-11-28', '2026-12-14'],
    ['2026-11-29', '2026-12-14'],
    ['2026-02-14', '2026-03-02'],
  ])('of a contract of %s is %s', (day, last) => {
    expect(lastWithdrawalDay(day)).toBe(last);
  });
});

it('the guarantee ends after its days, and where there is none at once', () => {
  expect(lastGuaranteeDay('2026-11-23', 30)).toBe('2026-12-23');
  expect(lastGuaranteeDay('2026-11-23', 0)).toBeUndefined();
});

describe('somebody who wants the price back', () => {
  const on = (day: string, guaranteeDays: number) =>
    standingOn(day, { contractDay: '2026-11-26', guaranteeDays });
  it.each([
    ['2026-11-26', 30, 'withdrawal'],
    ['2026-12-10', 30, 'withdrawal'],
    ['2026-12-11', 30, 'guarantee'],
    ['2026-12-26', 30, 'guarantee'],
    ['2026-12-27', 30, 'over'],
    ['2026-12-10', 0, 'withdrawal'],
    ['2026-12-11', 0, 'over'],
  ])('has on %s with %d days: %s', (day, days, standing) => {
    expect(on(day, days)).toBe(standing);
  });
});

it.each([
  ['withdrawal', '2026-12-10'],
  ['late_payment', '2026-12-10'],
  ['guarantee', '2026-12-10'],
  ['cancellation', '2026-12-10'],
  ['goodwill', '2026-12-10'],
] as const)('a refund of the kind %s, asked for on 26 November, is due on %s', (kind, due) => {
  expect(refundDueDay(kind, '2026-11-26', 10)).toBe(due);
});

it('the law counts days, our promise business days', () => {
  expect(refundDueDay('withdrawal', '2026-11-26', 5)).toBe('2026-12-10');
  expect(refundDueDay('guarantee', '2026-11-26', 5)).toBe('2026-12-03');
});
