import { describe, expect, it } from 'vitest';

import { ageOn, dateOf, dayAfter } from '~/domain/application/dates';

function read(text: string) {
  const [day = '', month = '', year = ''] = text.split('/');
  const typed = dateOf({ 'a.day': day, 'a.month': month, 'a.year': year }, 'a');
  return typed?.day ?? typed?.problem;
}

describe('a typed date', () => {
  it.each<[string | undefined, ...string[]]>([
    ['1990-02-01', '1/2/1990', '01/02/1990', ' 1 / 2 / 1990 ', '1./2./1990', '１/２/１９９０'],
    ['9999-12-31', '31/12/9999'],
    ['2028-02-29', '29/2/2028'],
    ['2000-02-29', '29/2/2000'],
    ['dateReal', '29/2/2027', '29/2/1900', '31/2/1990', '31/4/1990', '0/4/1990', '32/1/1990'],
    ['dateReal', '1/0/1990', '1/13/1990', '1/2/0990', '1/2/19900', 'first/2/1990'],
    ['dateReal', '-1/2/1990', '1e1/2/1990'],
    ['dateShort', '1/2/90'],
    ['dateDay', '/2/1990'],
    ['dateMonth', '1/ /1990'],
    ['dateYear', '1/2/'],
    ['dateParts', '//1990', '1//', '/2/'],
    [undefined, '/ /'],
    ['2026-09-01', '1/sept/2026', '1/Sept./2026'],
    ['2026-03-01', '1/maerz/2026', '1/Mrz/2026', '1/mar/2026'],
    // June or July.
    ['dateReal', '1/jui/2026', '1/ju/2026', '1/x/2026', '1/augusta/2026', '1/mayor/2026'],
  ])('is %s: %s', (expected, ...texts) => {
    for (const text of texts) expect([text, read(text)]).toEqual([text, expected]);
  });

  it.each(['fr', 'en', 'de', 'de-AT'])(
    'may name its month as a calendar does in %s',
    (language) => {
      for (const [style, month] of ['long', 'short'].flatMap((one) =>
        Array.from({ length: 12 }, (_, index) => [one as 'long', index + 1] as const),
      )) {
        const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
        const name = format.format(new Date(Date.UTC(2026, month - 1, 1)));
        const apart = name.normalize('NFD');
        const shapes = [name, name.toUpperCase(), name.replace('.', ''), `${name}.`, apart];
        for (const text of [...shapes, apart.replace(/\p{M}/gu, '')]) {
          const day = `2026-${String(month).padStart(2, '0')}-01`;
          expect([text, read(`1/${text}/2026`)]).toEqual([text, day]);
        }
      }
    },
  );
});

it.each<[string, Record<string, number>]>([
  ['2008-11-22', { '2026-11-21': 17, '2026-11-22': 18, '2026-11-23': 18 }],
  ['2008-02-29', { '2026-02-28': 17, '2026-03-01': 18, '2028-02-28': 19, '2028-02-29': 20 }],
  ['2026-11-22', { '2026-11-22': 0 }],
])('who was born on %s is so many years old: %j', (birth, ages) => {
  for (const [day, age] of Object.entries(ages))
    expect([day, ageOn(birth, day)]).toEqual([day, age]);
});

it.each([
  ['2028-02-29', { years: 1 }, '2029-02-28'],
  ['2028-02-29', { years: 4 }, '2032-02-29'],
  ['2026-08-31', { months: 6 }, '2027-02-28'],
  ['2026-03-29', { days: 1 }, '2026-03-30'],
  ['2026-11-22', { years: -120 }, '1906-11-22'],
])('after %s, %o, comes %s', (day, duration, later) => expect(dayAfter(day, duration)).toBe(later));
