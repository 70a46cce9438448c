import { describe, expect, it } from 'vitest';

import {
  axisEnd,
  daysBefore,
  filingTime,
  isToCount,
  medianStep,
  shownCount,
} from '~/domain/dashboard';
import { dayPeriod } from '~/domain/day-period';

describe('a day', () => {
  it.each([
    ['2026-11-22', 'Europe/Paris', '2026-11-21T23:00:00.000Z', 24],
    ['2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00.000Z', 23],
    ['2026-10-25', 'Europe/Paris', '2026-10-24T22:00:00.000Z', 25],
    // Midnight is left out there.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', 23],
    ['2026-11-22', 'Pacific/Kiritimati', '2026-11-21T10:00:00.000Z', 24],
  ])('%s in %s begins at %s and has %i hours', (day, timeZone, begin, hours) => {
    const { from, to } = dayPeriod(day, timeZone);
    expect(from.toISOString()).toBe(begin);
    expect((to.getTime() - from.getTime()) / 3_600_000).toBe(hours);
  });

  it.each([
    ['never', undefined, true],
    ['a moment ago', ['2026-11-22T10:30:00Z', '2026-11-22'], false],
    ['an hour ago', ['2026-11-22T10:00:00Z', '2026-11-22'], true],
    ['once nothing comes any more', ['2026-11-22T09:00:00Z', '2026-11-25'], false],
    ['as long as something comes', ['2026-11-22T09:00:00Z', '2026-11-24'], true],
  ] as const)('that was counted %s is counted again: %s', (_, counted, expected) => {
    const now = new Date('2026-11-22T11:00:00Z');
    const last = counted && { at: new Date(counted[0]), day: counted[1] };
    expect(isToCount('2026-11-21', last, now)).toBe(expected);
  });
});

describe('a filing', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour)).toISOString();
  type Hour = number | null;
  it.each<[string, Hour, Hour, Hour, Hour, [boolean, number]?]>([
    ['in time', 0, 72, 5, 100, [false, 5]],
    ['late', 0, 24, 25, 25, [true, 28]],
    ['where the site pays', 0, 24, null, 24, [false, 24]],
    ['at once', 5, 24, 4, 6, [false, 1]],
    ['after weeks', 0, 24, 2000, 2000, [true, 240]],
    ['without a promise', null, null, 1, 1],
    ['that lapsed', 0, 24, null, null],
  ])('%s', (_, starts, due, entered, filed, expected) => {
    const [starts_at, due_at, entered_at, filed_at] = [starts, due, entered, filed].map((hour) =>
      hour === null ? null : at(hour),
    ) as [string, string, string, string];
    const time = filingTime({ starts_at, due_at, entered_at, filed_at });
    expect(time && [time.isLate, time.hours]).toEqual(expected);
  });

  it('is done within the hours that half of them took', () => {
    const halfOf = (counts: Record<number, number>) =>
      medianStep(new Map(Object.entries(counts).map(([hours, count]) => [Number(hours), count])));
    const all = [{}, { 5: 1 }, { 28: 1, 1: 1, 5: 1 }, { 1: 2, 5: 2 }, { 1: 0, 5: 1 }];
    expect(all.map(halfOf)).toEqual([undefined, 5, 5, 1, 5]);
  });
});

it('numbers that were not counted to their end say so, an axis ends above them, days stand before today', () => {
  expect(daysBefore('2026-03-02', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  const shown = [0, 99, 100, 300].map((count) => shownCount(count, 100));
  expect(shown).toEqual(['0', '99', '99+', '99+']);
  expect([[], [0, 3], [10], [11], [99, 501]].map(axisEnd)).toEqual([1, 5, 10, 20, 1000]);
});
