import { expect, it } from 'vitest';

import { dayOf } from '~/clock.server';
import { createI18n } from '~/i18n/instance';
import {
  formatDay,
  formatDuration,
  formatFullDay,
  formatInstant,
  formatLongInstant,
  formatMoment,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPercent,
  formatTimeZone,
} from '~/i18n/server.server';

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

it('the day of an instant is the operator’s', () =>
  expect(dayOf(new Date('2026-10-31T23:30:00Z'))).toBe('2026-11-01'));

it.each([
  ['fr', '100 000', '99,7 %', '39,95 €', '72 heures', '1 jour', '5 000'],
  ['en', '100,000', '99.7%', '€39.95', '72 hours', '1 day', '5,000'],
  ['de', '100.000', '99,7 %', '39,95 €', '72 Stunden', '1 Tag', '5.000'],
] as const)('numbers in %s never part from their units', (language, ...expected) => {
  const words = { contact: { hints: { message: '{{limit, number}}' } } };
  const t = createI18n(language, words).getFixedT(language, 'contact');
  expect([
    formatNumber(100000, language),
    formatPercent(99.7, language),
    formatMoney(3995, 'EUR', language),
    formatDuration(72, 'hour', language),
    formatDuration(1, 'day', language),
    t('hints.message', { limit: 5000 }),
  ]).toEqual(expected.map((text) => text.replaceAll(' ', '\u00a0')));
});

it.each([
  // Before and after midnight where the site is, and the change of the clocks in March.
  ['fr', '2026-11-30T22:59:00Z', 'lundi 30\u00a0novembre à 23\u00a0h\u00a059'],
  ['fr', '2026-11-30T23:00:00Z', 'mardi 1er\u00a0décembre à 0\u00a0h\u00a000'],
  ['en', '2026-11-24T13:07:00Z', 'Tuesday 24\u00a0November at 14:07'],
  ['de', '2027-03-28T00:59:00Z', 'Sonntag, 28.\u00a0März um 01:59\u00a0Uhr'],
  ['de', '2027-03-28T01:00:00Z', 'Sonntag, 28.\u00a0März um 03:00\u00a0Uhr'],
] as const)('a moment in %s: %s', (language, instant, text) =>
  expect(formatMoment(new Date(instant), language, 'Europe/Paris')).toBe(text),
);

it.each([
  ['fr', 'heure de Paris', '22 novembre 2026 à 18 h 47 min 03 s (heure de Paris)'],
  ['en', 'Paris time', '22 November 2026 at 18:47:03 (Paris time)'],
  ['de', 'Mitteleuropäische Zeit', '22. November 2026 um 18:47:03 Uhr (MEZ)'],
] as const)('an instant in %s names the operator’s time: %s', (language, zone, receipt) => {
  const at = new Date('2026-11-22T17:47:03Z');
  expect(formatTimeZone(at, language, 'Europe/Paris')).toBe(zone);
  const text = formatLongInstant(at, language, 'Europe/Paris').replaceAll('\u00a0', ' ');
  expect(text).toContain(receipt);
  expect(formatInstant(at, 'fr', 'Europe/Brussels')).toContain('(heure d’Europe centrale)');
});
