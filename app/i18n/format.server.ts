import { env } from '~/env.server';
import { siteSettings } from '~/settings/settings.server';
import type { Language } from './languages';

/** British order and spelling: the English of this site's travellers. */
const LOCALES: Record<Language, string> = { fr: 'fr-FR', en: 'en-GB', de: 'de-DE' };

/** Today as `yyyy-MM-dd` in the operator's time zone, or the day of `TODAY`. */
export function today(now = new Date()): string {
  const { timeZone } = siteSettings();
  // Sweden writes dates as ISO 8601 does.
  return env().today ?? new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);
}

/** A calendar day (`yyyy-MM-dd`) in words: « 21 novembre 2026 ». */
export function formatDay(day: string, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${day}T12:00:00Z`));
}

/** An amount of money with two decimals: « 39,95 € », "US$39.95". */
export function formatMoney(amount: number, currency: 'EUR' | 'USD', language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency }).format(amount);
}

/** A plain number: « 100 000 ». */
export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}

/** A share of a hundred: « 99,7 % ». */
export function formatPercent(percent: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'percent',
    maximumFractionDigits: 1,
  }).format(percent / 100);
}

/** A length of time: « 72 heures ». */
export function formatDuration(
  value: number,
  unit: 'hour' | 'day' | 'month',
  language: Language,
): string {
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(value);
}

/** The day of an instant in words: « 21 novembre 2026 ». */
export function formatDate(instant: Date, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'long',
    timeZone: siteSettings().timeZone,
  }).format(instant);
}
