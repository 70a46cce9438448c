import { describe, expect, it } from 'vitest';

import { formSchema } from '~/domain/form-schema';
import {
  addDays,
  adviceBands,
  calendarDay,
  calendarMove,
  daysUntil,
  neighbourMonth,
  readMonth,
  recommendation,
  reminders,
  TRAVEL_FORM,
  travelDateRule,
  wayDone,
  weeksOf,
} from '~/domain/timeline';

it.each<[string, ...number[]]>([
  ['immediately', 0, 1, 2],
  ['soon', 3, 4, 13],
  ['optimal', 14, 15, 89],
  ['early', 90, 91, 3_000_000],
])('the recommendation is "%s" so many days before the journey: %j', (name, ...days) => {
  for (const count of days) expect([count, recommendation(count)]).toEqual([count, name]);
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
  ['the same day', '2026-11-21', '2026-11-21', 0],
  ['yesterday', '2026-11-20', '2026-11-21', -1],
  ['over the start of summer time in Europe', '2026-03-30', '2026-03-28', 2],
  ['over a leap day', '2028-03-01', '2028-02-28', 2],
  ['over a century without a leap day', '2100-03-01', '2100-02-28', 1],
  ['the last day of all', '9999-12-31', '2026-11-21', 2912118],
])('days are counted: %s', (_, day, today, days) => {
  expect(daysUntil(day, today)).toBe(days);
  expect(addDays(today, days)).toBe(day);
});

it.each([
  ['the first minute of a winter day', '2026-11-20T23:00:00Z', 'Europe/Paris', '2026-11-21'],
  ['the day that is 23 hours long', '2026-03-29T21:59:59Z', 'Europe/Paris', '2026-03-29'],
  ['the day that is 25 hours long', '2026-10-25T22:59:59Z', 'Europe/Paris', '2026-10-25'],
  ['far in the east', '2026-11-21T10:00:00Z', 'Pacific/Kiritimati', '2026-11-22'],
])('an instant has its calendar day: %s', (_, instant, timeZone, day) =>
  expect(calendarDay(new Date(instant), timeZone)).toBe(day),
);

it.each<[string | undefined, ...string[]]>([
  [undefined, '2026-11-21', ' 2026-11-22 ', '2028-02-29', '9999-12-31'],
  ['past', '2026-11-20', '0001-01-01'],
  ['required', '', '  '],
  ['invalid', '2026-02-30', '2027-02-29', '2026-13-01', '2026-00-10', '2026-12-00', 'tomorrow'],
  ['invalid', '9999999-01-01', '23.01.2027', '2027-1-3', '2027-01-03T00:00', '+012027-01-03'],
  ['invalid', '2027-01-0３'],
])('a travel date has the problem %s: %j', (problem, ...texts) => {
  const rules = { travel_date: travelDateRule('2026-11-21') };
  for (const text of texts) {
    const { data, error } = formSchema(TRAVEL_FORM, { rules }).safeParse({ date: text });
    const read = [data?.date, error?.issues[0]?.message];
    expect([text, ...read]).toEqual([text, problem ? undefined : text.trim(), problem]);
  }
});

it.each([
  // The passport a week before the application, the application two weeks before the trip.
  ['2027-01-23', { passport: '2027-01-02', apply: '2027-01-09' }],
  ['2026-12-11', { passport: '2026-11-21', apply: '2026-11-27' }],
  ['2026-12-05', { passport: '2026-11-21', apply: '2026-11-21' }],
  // Nearer to the trip there is no last day to apply.
  ['2026-12-04', { passport: '2026-11-21' }],
  ['2026-11-21', { passport: '2026-11-21' }],
])('what is to be done by when for a trip on %s', (travel, rest) =>
  expect(reminders(travel, '2026-11-21')).toEqual({ ...rest, travel }),
);

describe('a month', () => {
  it('is read where it is one', () => {
    const texts = ['2026-12', '2026-13', '2026-00', '2026-1', '12026-01', '', null];
    expect(texts.map(readMonth).filter(Boolean)).toEqual(['2026-12']);
  });

  it.each([
    ['2026-11', -1, undefined],
    ['2026-12', -1, '2026-11'],
    ['2026-12', 1, '2027-01'],
    ['9999-12', 1, undefined],
  ] as const)('%s has a neighbour at %i: %j', (month, step, neighbour) =>
    expect(neighbourMonth(month, step, '2026-11-21')).toBe(neighbour),
  );

  it.each([
    ['2027-02', 28],
    ['2028-02', 29],
    ['9999-12', 31],
  ])('%s has its %i days once, in weeks that start on the day asked for', (month, last) => {
    const weeks = weeksOf(month, 1);
    const days = weeks.flat().filter(Boolean);
    expect([days.length, new Set(days).size]).toEqual([last, last]);
    expect([days[0], days.at(-1)]).toEqual([`${month}-01`, `${month}-${last}`]);
    const starts = [weeks[1]?.[0], weeksOf(month, 0)[1]?.[0]];
    expect(starts.map((day) => new Date(day ?? '').getUTCDay())).toEqual([1, 0]);
  });
});

describe('a key in the calendar', () => {
  const rules = { today: '2026-11-21', weekStartsOn: 1 } as const;
  it.each([
    ['ArrowRight', false, '2026-11-30', '2026-12-01'],
    ['ArrowLeft', false, '2026-11-21', '2026-11-21'],
    ['ArrowDown', false, '2026-12-28', '2027-01-04'],
    ['ArrowUp', false, '2026-11-25', '2026-11-21'],
    ['Home', false, '2026-12-03', '2026-11-30'],
    ['End', false, '2026-12-03', '2026-12-06'],
    ['PageDown', false, '2027-01-31', '2027-02-28'],
    ['PageUp', false, '2027-01-31', '2026-12-31'],
    ['PageDown', true, '2028-02-29', '2029-02-28'],
    ['PageUp', true, '2027-01-31', '2026-11-21'],
    ['PageDown', true, '9999-12-30', '9999-12-31'],
    ['Enter', false, '2026-12-03', undefined],
  ])('%s (Shift: %s) leads from %s to %s', (key, shift, from, to) =>
    expect(calendarMove(from, key, shift, rules)).toBe(to),
  );
});
