import { expect, it } from 'vitest';

import { dayOf } from '~/clock.server';
import { formatDay, formatFullDay, formatMonth } from '~/i18n/format.server';

it.each([
  ['fr', '2026-11-01', '1er novembre 2026', 'dimanche 1er novembre 2026', 'novembre 2026'],
  ['fr', '2026-11-21', '21 novembre 2026', 'samedi 21 novembre 2026', 'novembre 2026'],
  ['fr', '2027-08-11', '11 août 2027', 'mercredi 11 août 2027', 'août 2027'],
  ['en', '2026-11-01', '1 November 2026', 'Sunday 1 November 2026', 'November 2026'],
  ['de', '2026-11-01', '1. November 2026', 'Sonntag, 1. November 2026', 'November 2026'],
] as const)('days in %s: %s', (language, day, long, full, month) => {
  expect(formatDay(day, language)).toBe(long);
  expect(formatFullDay(day, language).replace('Sunday, ', 'Sunday ')).toBe(full);
  expect(formatMonth(day.slice(0, 7), language)).toBe(month);
});

it('the day of an instant is the operator’s', () => {
  expect(dayOf(new Date('2026-10-31T23:30:00Z'))).toBe('2026-11-01');
});
