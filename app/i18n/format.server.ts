import type { Cents, Currency } from '~/domain/offer';
import { type Language, LANGUAGE_ROWS } from './languages';

/** Formats a calendar day (`yyyy-MM-dd`): « 21 novembre 2026 ». */
export function formatDay(day: string, language: Language): string {
  return formatParts(day, language, { dateStyle: 'long' });
}

/** Formats a calendar day (`yyyy-MM-dd`) for a narrow place: « 28 sept. 2026 ». */
export function formatShortDay(day: string, language: Language): string {
  return formatParts(day, language, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** Formats a calendar day (`yyyy-MM-dd`) with its weekday: « samedi 21 novembre 2026 ». */
export function formatFullDay(day: string, language: Language): string {
  return formatParts(day, language, { dateStyle: 'full' });
}

/** Formats a month (`yyyy-MM`): « novembre 2026 ». */
export function formatMonth(month: string, language: Language): string {
  return formatParts(`${month}-01`, language, { month: 'long', year: 'numeric' });
}

/** The weekdays in the order of the language, short and long: « lun. », « lundi ». */
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

/**
 * Formats an instant with its time: « 21 nov. 2026, 14:05 ».
 *
 * @param timeZone the operator's, such as `Europe/Paris`
 */
export function formatShortInstant(instant: Date, language: Language, timeZone: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return dateFormatter(language, options).format(instant).replaceAll('\u202f', '\u00a0');
}

/** Formats an instant in a time zone: « dimanche 22 novembre à 18:47 UTC+1 ». */
export function formatInstant(instant: Date, language: Language, timeZone: string): string {
  return formatWithZone(instant, language, timeZone, {});
}

/** The same with its year, for what is kept: « dimanche 22 novembre 2026 à 18:47 UTC+1 ». */
export function formatDatedInstant(instant: Date, language: Language, timeZone: string): string {
  return formatWithZone(instant, language, timeZone, { year: 'numeric' });
}

function formatWithZone(
  instant: Date,
  language: Language,
  timeZone: string,
  year: { year?: 'numeric' },
): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', ...year } as const;
  const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  const text = dateFormatter(language, { ...options, ...time, timeZone }).format(instant);
  // A number stays with what follows it.
  return withOrdinal(text, language).replaceAll(/(?<=\d\S*) (?=\p{L})|\u202f/gu, '\u00a0');
}

/** Formats an instant as people agree on one: « mardi 24 novembre à 14:07 ». */
export function formatMoment(instant: Date, language: Language, timeZone: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const time = { hour: '2-digit', minute: '2-digit', timeZone } as const;
  const text = dateFormatter(language, { ...options, ...time }).format(instant);
  // A number stays with what follows it; Germans say "Uhr" after a time.
  const whole = language === 'de' ? `${text} Uhr` : text;
  return withOrdinal(whole, language).replaceAll(/(?<=\d\S*) (?=\p{L})|\u202f/gu, '\u00a0');
}

/** Names a time zone as people there do, in the season of an instant: « heure d’Europe centrale ». */
export function formatTimeZone(instant: Date, language: Language, timeZone: string): string {
  const options = { timeZoneName: 'longGeneric', timeZone } as const;
  const parts = dateFormatter(language, options).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** The same with its year and seconds, as a receipt has it: « dimanche 22 novembre 2026 à 18:47:03 UTC+1 ». */
export function formatLongInstant(instant: Date, language: Language, timeZone: string): string {
  const date = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const options = { ...date, ...time, timeZoneName: 'short', timeZone } as const;
  return withOrdinal(dateFormatter(language, options).format(instant), language).replaceAll(
    /(?<=\d\S*) (?=\p{L})|\u202f/gu,
    '\u00a0',
  );
}

function formatParts(day: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  const text = dateFormatter(language, options).format(new Date(`${day}T12:00:00Z`));
  return withOrdinal(text, language);
}

/** French uses an ordinal for the first of a month: « 1er novembre ». */
function withOrdinal(text: string, language: Language): string {
  return language === 'fr' ? text.replace(/(^| )1 (?=\p{L})/u, '$11er ') : text;
}

/** Formats an amount of money with two decimals: « 39,95 € », "US$39.95". */
export function formatMoney(cents: Cents, currency: Currency, language: Language): string {
  return formatWhole(cents / 100, language, { style: 'currency', currency });
}

/** Formats an amount without its cents: « 75 € ». */
export function formatRoundMoney(cents: Cents, currency: Currency, language: Language): string {
  const options = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
  return formatWhole(cents / 100, language, options);
}

/** Formats a number: « 100 000 ». */
export function formatNumber(value: number, language: Language): string {
  return formatWhole(value, language, {});
}

/** Formats the size of a file: « 2,4 Mo »; megabytes of 1024 × 1024 bytes, as systems show them. */
export function formatFileSize(bytes: number, language: Language): string {
  const kilobytes = bytes / 1024;
  const [value, unit] =
    kilobytes < 1000 ? [Math.ceil(kilobytes), 'kilobyte'] : [kilobytes / 1024, 'megabyte'];
  return formatWhole(value, language, { style: 'unit', unit, maximumFractionDigits: 1 });
}

/** Formats a percentage from 0 to 100: « 99,7 % ». */
export function formatPercent(percent: number, language: Language, digits = 1): string {
  const options = { style: 'percent', maximumFractionDigits: digits } as const;
  return formatWhole(percent / 100, language, options);
}

/** Formats a duration: « 72 heures ». */
export function formatDuration(
  value: number,
  unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year',
  language: Language,
): string {
  return formatWhole(value, language, { style: 'unit', unit, unitDisplay: 'long' });
}

/** Formats how long somebody waits, in its largest unit, rounded up: « 15 secondes », « 2 minutes ». */
export function formatWait(seconds: number, language: Language): string {
  if (seconds <= 90) return formatDuration(seconds, 'second', language);
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return formatDuration(minutes, 'minute', language);
  return formatDuration(Math.ceil(minutes / 60), 'hour', language);
}

/**
 * A number and its unit never part at the end of a line. The space is the ordinary no-break space:
 * the font has no narrow one.
 */
function formatWhole(value: number, language: Language, options: Intl.NumberFormatOptions): string {
  return numberFormatter(language, options)
    .format(value)
    .replaceAll(/[ \u202f]/g, '\u00a0');
}

const dateFormatter = memoizeFormatter(
  (language: Language, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LANGUAGE_ROWS[language].locale, { timeZone: 'UTC', ...options }),
);
const numberFormatter = memoizeFormatter(
  (language: Language, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(LANGUAGE_ROWS[language].locale, options),
);

/** Caches formatters: creating one takes a hundred times as long as using it. */
function memoizeFormatter<Options, Formatter>(
  make: (language: Language, options: Options) => Formatter,
) {
  const cache = new Map<string, Formatter>();
  return (language: Language, options: Options): Formatter => {
    const key = `${language} ${JSON.stringify(options)}`;
    const formatter = cache.get(key) ?? make(language, options);
    cache.set(key, formatter);
    return formatter;
  };
}
