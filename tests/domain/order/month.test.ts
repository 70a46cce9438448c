import { expect, it } from 'vitest';

import { isMonth, monthPeriod, nextMonth } from '~/domain/order/month';
import { calendarDay } from '~/domain/timeline';

it.each([
  ['2026-11', 'Europe/Paris', '2026-10-31T23:00', '2026-11-30T23:00'],
  ['2026-10', 'Europe/Paris', '2026-09-30T22:00', '2026-10-31T23:00'],
  ['2026-12', 'Pacific/Kiritimati', '2026-11-30T10:00', '2026-12-31T10:00'],
  ['2026-12', 'Pacific/Pago_Pago', '2026-12-01T11:00', '2027-01-01T11:00'],
  ['2026-12', 'Asia/Kathmandu', '2026-11-30T18:15', '2026-12-31T18:15'],
  // On the first of October 2017 the clocks went from midnight to one.
  ['2017-10', 'America/Asuncion', '2017-10-01T04:00', '2017-11-01T03:00'],
])('%s in %s is from %s to %s', (month, timeZone, from, to) => {
  const period = monthPeriod(month, timeZone);
  expect([period.from, period.to].map((at) => at.toISOString().slice(0, 16))).toEqual([from, to]);
  const before = (at: Date) => calendarDay(new Date(at.getTime() - 1), timeZone);
  expect(calendarDay(period.from, timeZone)).toBe(`${month}-01`);
  expect(before(period.from) < `${month}-01`).toBe(true);
  expect(before(period.to).slice(0, 7)).toBe(month);
});

it('knows a month, and the next', () => {
  const texts = ['2026-11', '2026-1', '2026-13', '2026-00', '1926-11', '2026-11-01', ''];
  expect(texts.filter(isMonth)).toEqual(['2026-11']);
  const next = ['2026-09', '2026-11', '2026-12'].map(nextMonth);
  expect(next).toEqual(['2026-10', '2026-12', '2027-01']);
});
