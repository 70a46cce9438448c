import { expect, it } from 'vitest';

import { dayOf } from '~/clock.server';
import { createI18n } from '~/i18n/instance';
import type { Language } from '~/i18n/languages';
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
} from '~/i18n/locale.server';
import { decisionTables } from '../decision-tables';

const inParis = [
  (language: Language, at: Date) => formatLongInstant(at, language, 'Europe/Paris'),
  (language: Language, at: Date) => formatTimeZone(at, language, 'Europe/Paris'),
];
/** So that one sees which spaces are unbreakable. */
const seen = (text: string) => text.replaceAll('\u00a0', '_');

decisionTables(import.meta.url, {
  'a day, its weekday and its month': (language, day) =>
    [
      formatDay(day, language as Language),
      formatFullDay(day, language as Language).replace('Sunday, ', 'Sunday '),
      formatMonth(day.slice(0, 7), language as Language),
    ].join(' / '),
  'a moment in Paris': (language, instant) =>
    seen(formatMoment(new Date(instant), language as Language, 'Europe/Paris')),
  'an instant in Paris, and its time zone': (language) => {
    const at = new Date('2026-11-22T17:47:03Z');
    const texts = inParis.map((format) => format(language as Language, at));
    // Node's lines differ in the weekday's comma, and in the spaces.
    return texts
      .join(' / ')
      .replaceAll('\u00a0', ' ')
      .replace(/^\p{L}+,? /u, '');
  },
  'numbers that never part from their units': (code) => {
    const language = code as Language;
    const words = { contact: { hints: { message: '{{limit, number}}' } } };
    const t = createI18n(language, words).getFixedT(language, 'contact');
    const texts = [
      formatNumber(100000, language),
      formatPercent(99.7, language),
      formatMoney(3995, 'EUR', language),
      formatDuration(72, 'hour', language),
      formatDuration(1, 'day', language),
      t('hints.message', { limit: 5000 }),
    ];
    return seen(texts.join(' / '));
  },
});

it('the day of an instant is the operator’s', () =>
  expect(dayOf(new Date('2026-10-31T23:30:00Z'))).toBe('2026-11-01'));

it('another time zone is named, too', () => {
  const at = new Date('2026-11-22T17:47:03Z');
  expect(formatInstant(at, 'fr', 'Europe/Brussels')).toContain('(heure d’Europe centrale)');
});
