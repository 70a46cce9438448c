import { describe, expect, it } from 'vitest';

import { ageOn, dateOf, dayAfter } from '~/domain/application/dates';

/** What becomes of three parts, as somebody types them. */
function read(day: string, month: string, year: string) {
  const typed = dateOf({ 'a.day': day, 'a.month': month, 'a.year': year }, 'a');
  return typed?.day ?? typed?.problem;
}

describe('a typed date', () => {
  it.each([
    ['1', '2', '1990', '1990-02-01'],
    ['01', '02', '1990', '1990-02-01'],
    [' 1 ', ' 2 ', ' 1990 ', '1990-02-01'],
    ['1.', '2.', '1990', '1990-02-01'],
    ['31', '12', '9999', '9999-12-31'],
    ['1', '1', '1000', '1000-01-01'],
    ['１', '２', '１９９０', '1990-02-01'],
    ['29', '2', '2028', '2028-02-29'],
    ['29', '2', '2000', '2000-02-29'],
    ['29', '2', '2027', 'dateReal'],
    ['29', '2', '1900', 'dateReal'],
    ['31', '2', '1990', 'dateReal'],
    ['31', '4', '1990', 'dateReal'],
    ['30', '4', '1990', '1990-04-30'],
    ['0', '4', '1990', 'dateReal'],
    ['32', '1', '1990', 'dateReal'],
    ['1', '0', '1990', 'dateReal'],
    ['1', '13', '1990', 'dateReal'],
    ['1', '2', '90', 'dateShort'],
    ['1', '2', '0990', 'dateReal'],
    ['1', '2', '19900', 'dateReal'],
    ['first', '2', '1990', 'dateReal'],
    ['-1', '2', '1990', 'dateReal'],
    ['1e1', '2', '1990', 'dateReal'],
    ['', '2', '1990', 'dateDay'],
    ['1', ' ', '1990', 'dateMonth'],
    ['1', '2', '', 'dateYear'],
    ['', '', '1990', 'dateParts'],
    ['1', '', '', 'dateParts'],
    ['', '2', '', 'dateParts'],
    ['', ' ', '', undefined],
  ])('%s / %s / %s is %s', (day, month, year, expected) => {
    expect(read(day, month, year)).toBe(expected);
  });

  it('has no parts if nothing was sent', () => {
    expect(dateOf({}, 'a')).toBeUndefined();
    expect(dateOf({ 'a.day': '1' }, 'a')).toEqual({ problem: 'dateParts' });
  });

  const months = Array.from({ length: 12 }, (_, index) => index + 1);
  const styles = ['long', 'short'] as const;
  it.each(
    ['fr', 'en', 'de', 'de-AT'].flatMap((language) =>
      styles.map((style) => [language, style] as const),
    ),
  )('may name its month as a calendar does (%s, %s)', (language, style) => {
    const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
    for (const month of months) {
      const name = format.format(new Date(Date.UTC(2026, month - 1, 1)));
      const day = `2026-${String(month).padStart(2, '0')}-01`;
      for (const text of [
        name,
        name.toUpperCase(),
        name.replace('.', ''),
        `${name}.`,
        name.normalize('NFD'),
        name.normalize('NFD').replace(/\p{M}/gu, ''),
      ]) {
        expect([text, read('1', text, '2026')]).toEqual([text, day]);
      }
    }
  });

  it.each([
    ['sept', '2026-09-01'],
    ['Sept.', '2026-09-01'],
    ['maerz', '2026-03-01'],
    ['Mrz', '2026-03-01'],
    ['mar', '2026-03-01'],
    ['juil', '2026-07-01'],
    ['Feber', '2026-02-01'],
    // June or July.
    ['jui', 'dateReal'],
    ['ju', 'dateReal'],
    ['x', 'dateReal'],
    ['augusta', 'dateReal'],
    ['mayor', 'dateReal'],
  ])('in %s is %s', (month, expected) => {
    expect(read('1', month, '2026')).toBe(expected);
  });
});

describe('an age', () => {
  it.each([
    ['2008-11-22', '2026-11-21', 17],
    ['2008-11-22', '2026-11-22', 18],
    ['2008-11-22', '2026-11-23', 18],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-28', 19],
    ['2008-02-29', '2028-02-29', 20],
    ['2026-11-22', '2026-11-22', 0],
  ])('of who was born on %s is on %s %i', (birth, day, age) => {
    expect(ageOn(birth, day)).toBe(age);
  });
});

it.each([
  ['2028-02-29', { years: 1 }, '2029-02-28'],
  ['2028-02-29', { years: 4 }, '2032-02-29'],
  ['2026-08-31', { months: 6 }, '2027-02-28'],
  ['2026-03-29', { days: 1 }, '2026-03-30'],
  ['2026-11-22', { years: -120 }, '1906-11-22'],
])('after %s, %o, comes %s', (day, duration, later) => {
  expect(dayAfter(day, duration)).toBe(later);
});
