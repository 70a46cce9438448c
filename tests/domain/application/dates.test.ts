import { expect, it } from 'vitest';

import { ageOn, answeredDate, dayAfter } from '~/domain/application/dates';
import { decisionTables } from '../../decision-tables';

function read(text: string) {
  const [day = '', month = '', year = ''] = text.split('/');
  const typed = answeredDate({ 'a.day': day, 'a.month': month, 'a.year': year }, 'a');
  return typed?.day ?? typed?.problem;
}

decisionTables(import.meta.url, {
  'a typed date': read,
  'age on a day': ageOn,
  'day after a time': (day, duration) => {
    const [count, unit = ''] = duration.split(' ');
    return dayAfter(day, { [unit]: Number(count) });
  },
});

it.each(['fr', 'en', 'de', 'de-AT'])(
  'a typed date may name its month as a calendar does in %s',
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
