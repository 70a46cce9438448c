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

  it('stands before today, across months', () => {
    expect(daysBefore('2026-03-02', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
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
  it.each([
    [
      'in time',
      { starts_at: at(0), due_at: at(72), entered_at: at(5), filed_at: at(100) },
      [false, 5],
    ],
    [
      'late',
      { starts_at: at(0), due_at: at(24), entered_at: at(25), filed_at: at(25) },
      [true, 28],
    ],
    [
      'where the site pays',
      { starts_at: at(0), due_at: at(24), entered_at: null, filed_at: at(24) },
      [false, 24],
    ],
    [
      'at once',
      { starts_at: at(5), due_at: at(24), entered_at: at(4), filed_at: at(6) },
      [false, 1],
    ],
    [
      'after weeks',
      { starts_at: at(0), due_at: at(24), entered_at: at(2000), filed_at: at(2000) },
      [true, 240],
    ],
    [
      'without a promise',
      { starts_at: null, due_at: null, entered_at: at(1), filed_at: at(1) },
      undefined,
    ],
    [
      'that lapsed',
      { starts_at: at(0), due_at: at(24), entered_at: null, filed_at: null },
      undefined,
    ],
  ] as const)('%s', (_, filing, expected) => {
    const time = filingTime(filing);
    expect(time && [time.isLate, time.hours]).toEqual(expected);
  });

  it.each([
    [[], undefined],
    [[[5, 1]], 5],
    [
      [
        [28, 1],
        [1, 1],
        [5, 1],
      ],
      5,
    ],
    [
      [
        [1, 2],
        [5, 2],
      ],
      1,
    ],
    [
      [
        [1, 0],
        [5, 1],
      ],
      5,
    ],
  ] as [[number, number][], number | undefined][])(
    'the half of %j is done within %s',
    (counts, expected) => expect(medianStep(new Map(counts))).toBe(expected),
  );
});

it('numbers that were not counted to their end say so', () => {
  expect([0, 99, 100, 300].map((count) => shownCount(count, 100))).toEqual([
    '0',
    '99',
    '99+',
    '99+',
  ]);
});

it.each([
  [[], 1],
  [[0, 3], 5],
  [[10], 10],
  [[11], 20],
  [[99, 501], 1000],
])('an axis for %j ends at %i', (values, end) => expect(axisEnd(values)).toBe(end));
