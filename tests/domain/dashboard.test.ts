import { expect, it } from 'vitest';

import {
  axisEnd,
  daysBefore,
  filingTime,
  isToCount,
  medianStep,
  shownCount,
} from '~/domain/dashboard';
import { dayPeriod } from '~/domain/day-period';
import { decisionTables } from '../decision-tables';

const HOUR = 3_600_000;

decisionTables(import.meta.url, {
  'begin and hours of a day': (day, timeZone) => {
    const { from, to } = dayPeriod(day, timeZone);
    return `${from.toISOString()}, ${(to.getTime() - from.getTime()) / HOUR} hours`;
  },
  'whether a day is counted again at 11 o’clock': (_, at?: string, day?: string) => {
    const last = at && day ? { at: new Date(at), day } : undefined;
    return isToCount('2026-11-21', last, new Date('2026-11-22T11:00:00Z'));
  },
  'when a case was filed, by hours: start, due, entered, filed': (_, ...hours) => {
    const [starts_at, due_at, entered_at, filed_at] = hours.map((hour: string | undefined) =>
      hour === undefined ? null : new Date(Number(hour) * HOUR).toISOString(),
    ) as [string, string, string, string];
    const time = filingTime({ starts_at, due_at, entered_at, filed_at });
    return time && `${time.isLate ? 'late' : 'in time'}, ${time.hours} hours`;
  },
});

it('a filing is done within the hours that half of them took', () => {
  const halfOf = (counts: Record<number, number>) =>
    medianStep(new Map(Object.entries(counts).map(([hours, count]) => [Number(hours), count])));
  const all = [{}, { 5: 1 }, { 28: 1, 1: 1, 5: 1 }, { 1: 2, 5: 2 }, { 1: 0, 5: 1 }];
  expect(all.map(halfOf)).toEqual([undefined, 5, 5, 1, 5]);
});

it('numbers that were not counted to their end say so, an axis ends above them, days stand before today', () => {
  expect(daysBefore('2026-03-02', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  const shown = [0, 99, 100, 300].map((count) => shownCount(count, 100));
  expect(shown).toEqual(['0', '99', '99+', '99+']);
  expect([[], [0, 3], [10], [11], [99, 501]].map(axisEnd)).toEqual([1, 5, 10, 20, 1000]);
});
