import type { Cents, Currency } from '~/domain/offer';
import { calendarDay } from '~/domain/timeline';
import { siteSettings } from '~/settings/settings.server';
import { type Language, LANGUAGE_ROWS } from './languages';

/** A calendar day (`yyyy-MM-dd`) in words: « 21 novembre 2026 ». */
export function formatDay(day: string, language: Language): string {
  return formatParts(day, language, { dateStyle: 'long' });
}

/** A calendar day with its weekday: « samedi 21 novembre 2026 ». */
export function formatFullDay(day: string, language: Language): string {
  return formatParts(day, language, { dateStyle: 'full' });
}

/** A month (`yyyy-MM`) in words: « novembre 2026 ». */
export function formatMonth(month: string, language: Language): string {
  return formatParts(`${month}-01`, language, { month: 'long', year: 'numeric' });
}

/** The days of a week in their order, short and in full: « lun. », « lundi ». */
export function weekdayNames(language: Language): { short: string; long: string }[] {
  return Array.from({ length: 7 }, (_, index) => {
    // 4 January 1970 was a Sunday.
    const day = `1970-01-${String(4 + LANGUAGE_ROWS[language].weekStartsOn + index).padStart(2, '0')}`;
    return {
      short: formatParts(day, language, { weekday: 'short' }),
      long: formatParts(day, language, { weekday: 'long' }),
    };
  });
}

function formatParts(day: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  const text = dates(language, options).format(new Date(`${day}T12:00:00Z`));
  // French counts the first of a month: « 1er novembre ».
  return language === 'fr' ? text.replace(/(^| )1 (?=\p{L})/u, '$11er ') : text;
}

/** An amount of money with two decimals: « 39,95 € », "US$39.95". */
export function formatMoney(cents: Cents, currency: Currency, language: Language): string {
  return numbers(language, { style: 'currency', currency }).format(cents / 100);
}

/** A plain number: « 100 000 ». */
export function formatNumber(value: number, language: Language): string {
  return numbers(language, {}).format(value);
}

/** A share of a hundred: « 99,7 % ». */
export function formatPercent(percent: number, language: Language): string {
  return numbers(language, { style: 'percent', maximumFractionDigits: 1 }).format(percent / 100);
}

/** A length of time: « 72 heures ». */
export function formatDuration(
  value: number,
  unit: 'minute' | 'hour' | 'day' | 'month',
  language: Language,
): string {
  return numbers(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** The day of an instant in words: « 21 novembre 2026 ». */
export function formatDate(instant: Date, language: Language): string {
  return formatDay(calendarDay(instant, siteSettings().timeZone), language);
}

const dates = remembered(
  (language: Language, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LANGUAGE_ROWS[language].locale, { ...options, timeZone: 'UTC' }),
);
const numbers = remembered(
  (language: Language, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(LANGUAGE_ROWS[language].locale, options),
);

/** To make a formatter takes a hundred times as long as to use it. */
function remembered<Options, Formatter>(make: (language: Language, options: Options) => Formatter) {
  const made = new Map<string, Formatter>();
  return (language: Language, options: Options): Formatter => {
    const key = `${language} ${JSON.stringify(options)}`;
    const formatter = made.get(key) ?? make(language, options);
    made.set(key, formatter);
    return formatter;
  };
}
