import { describe, expect, it } from 'vitest';

import { formSchema } from '~/domain/form-schema';
import {
  addDays,
  adviceBands,
  calendarDay,
  calendarMove,
  daysUntil,
  lookDay,
  neighbourMonth,
  readMonth,
  recommendation,
  reminders,
  TRAVEL_FORM,
  travelDateRule,
  wayDone,
  weeksOf,
} from '~/domain/timeline';
import { decisionTables } from '../decision-tables';

const TODAY = '2026-11-21';

decisionTables(import.meta.url, {
  'recommendation, so many days before the journey': (days) => recommendation(Number(days)),
  'days from today to a day, and back': (_, today, day) => {
    const days = daysUntil(day, today);
    expect(addDays(today, days)).toBe(day);
    return days;
  },
  'calendar day of an instant': (_, instant, zone) => calendarDay(new Date(instant), zone),
  'problem of a travel date on 21 November 2026': (date) => {
    const rules = { travel_date: travelDateRule(TODAY) };
    const { data, error } = formSchema(TRAVEL_FORM, { rules }).safeParse({ date });
    expect(data?.date).toBe(error ? undefined : date.trim());
    return error?.issues[0]?.message;
  },
  'what is to be done by when, for a trip': (travel) => {
    const { travel: day, ...others } = reminders(travel, TODAY);
    expect(day).toBe(travel);
    return Object.entries(others)
      .map((reminder) => reminder.join(' '))
      .join(', ');
  },
  'when one looks oneself whether an ESTA is approved still': lookDay,
  'month that is read': (text) => readMonth(text ?? null),
  'neighbour of a month': (month, step) => neighbourMonth(month, Number(step) as 1 | -1, TODAY),
  'day that a key in the calendar leads to': (key, from) =>
    calendarMove(from, key.replace('Shift ', ''), key.startsWith('Shift'), {
      today: TODAY,
      weekStartsOn: 1,
    }),
});

describe('the bands before the journey', () => {
  it('lead to the departure without a gap', () =>
    expect(adviceBands()).toEqual([
      { name: 'early', from: 90, to: null },
      { name: 'optimal', from: 14, to: 89 },
      { name: 'soon', from: 3, to: 13 },
      { name: 'immediately', from: 0, to: 2 },
    ]));

  it('have each day in its own quarter, nearer to the departure from day to day', () => {
    const quarters = adviceBands();
    let later = 1;
    for (let days = 1; days < 400; days += 1) {
      const done = wayDone(days);
      expect([days, quarters[Math.ceil(done * 4) - 1]?.name]).toEqual([days, recommendation(days)]);
      expect(done).toBeLessThanOrEqual(later);
      later = done;
    }
    expect(wayDone(0)).toBe(1);
    expect(wayDone(3_000_000)).toBeGreaterThan(0);
  });
});

it.each([
  ['2027-02', 28],
  ['2028-02', 29],
  ['9999-12', 31],
])('the month %s has its %i days once, in weeks that start on the day asked for', (month, last) => {
  const weeks = weeksOf(month, 1);
  const days = weeks.flat().filter(Boolean);
  expect([days.length, new Set(days).size]).toEqual([last, last]);
  expect([days[0], days.at(-1)]).toEqual([`${month}-01`, `${month}-${last}`]);
  const starts = [weeks[1]?.[0], weeksOf(month, 0)[1]?.[0]];
  expect(starts.map((day) => new Date(day ?? '').getUTCDay())).toEqual([1, 0]);
});
