import { parse, serialize } from 'cookie';
import type { i18n, TFunction } from 'i18next';
import Negotiator from 'negotiator';
import { RemixI18Next } from 'remix-i18next/server';
import { LRUCache } from 'lru-cache';

import { dayOf, today } from '~/clock.server';
import { getOrInsert } from '~/domain/get-or-insert';
import type { Cents, Currency } from '~/domain/offer';
import { cookieAttributes, env } from '~/env.server';
import { defaultLanguage, siteSettings } from '~/settings/settings.server';
import { bundles } from './bundles.server';
import { createI18n } from './instance';
import { type Language, LANGUAGE_ROWS, LANGUAGES } from './languages';

type Translate = (key: string, ...options: unknown[]) => string;

/** Remembers texts: half of the rendering time is spent on looking them up. Every `t` comes from `getFixedT`. */
export function withMemory(instance: i18n): i18n {
  const cache = new Map<string, Translate>();
  const createFixedT = instance.getFixedT.bind(instance) as unknown as (
    ...of: unknown[]
  ) => Translate;
  const getFixedT = (...of: unknown[]) =>
    getOrInsert(cache, JSON.stringify(of), () => memoizeTranslate(createFixedT(...of)));
  return Object.assign(instance, { getFixedT });
}

const MAX_NUMERIC_TEXTS = 500;

/** Caches texts without interpolation, and texts that only interpolate numbers. */
function memoizeTranslate(translate: Translate): Translate {
  const plainTexts = new Map<string, string>();
  const numericTexts = new LRUCache<string, string>({ max: MAX_NUMERIC_TEXTS });
  return Object.assign((key: string, ...options: unknown[]) => {
    if (typeof key !== 'string') return translate(key, ...options);
    const values = Object.values(options[0] ?? {}) as unknown[];
    const isNumeric = options.length < 2 && values.every((value) => typeof value === 'number');
    if (!isNumeric) return translate(key, ...options);
    const [cache, cacheKey] =
      options.length > 0 ? [numericTexts, key + JSON.stringify(options)] : [plainTexts, key];
    const text = cache.get(cacheKey) ?? translate(key, ...options);
    cache.set(cacheKey, text);
    return text;
  }, translate);
}

/** One instance per language and process: creating one takes as long as rendering a page. */
const instances = Object.fromEntries(
  LANGUAGES.map((language) => [language, withMemory(createI18n(language, bundles[language]))]),
) as Record<Language, i18n>;

const languageDetector = () =>
  new RemixI18Next({
    detection: {
      supportedLanguages: siteSettings().languages,
      fallbackLanguage: defaultLanguage(),
      searchParamKey: 'lng',
      order: ['searchParams', 'custom'],
      // The library's own detection only considers the browser's first language, supported or not.
      findLocale: ({ headers }) =>
        Promise.resolve(languageFromHeaders(headers.get('Cookie'), headers.get('Accept-Language'))),
    },
  });

/** The visitor's language: `?lng=`, else the cookie, else Accept-Language, else the site's default. */
export const languageOf = async (request: Request): Promise<Language> =>
  offeredLanguage(await languageDetector().getLocale(request)) ?? defaultLanguage();

export const offeredLanguage = (code: unknown): Language | undefined =>
  siteSettings().languages.find((language) => language === code);

/** An instance's own `t` has no memory; those of `getFixedT` have. */
const translators = Object.fromEntries(
  LANGUAGES.map((language) => [language, instances[language].getFixedT(language)]),
) as Record<Language, TFunction>;

export const translations = (language: Language): i18n => instances[language];

export const translator = (language: Language): TFunction => translators[language];

export const languageFromHeaders = (
  cookie: string | null | undefined,
  acceptLanguage: string | null | undefined,
): Language =>
  parseLanguageCookie(cookie) ?? parseAcceptLanguage(acceptLanguage) ?? defaultLanguage();

const parseLanguageCookie = (cookie: string | null | undefined): Language | undefined =>
  offeredLanguage(parse(cookie ?? '')[cookieName()]);

function parseAcceptLanguage(acceptLanguage: string | null | undefined): Language | undefined {
  const headers = { 'accept-language': acceptLanguage ?? '' };
  // Of languages that are equally welcome, the default.
  const offered = [defaultLanguage(), ...siteSettings().languages];
  return offeredLanguage(new Negotiator({ headers }).language(offered));
}

const cookieName = (): string => (env().secure ? '__Host-lng' : 'lng');

export const serializeLanguageCookie = (language: Language): string =>
  serialize(cookieName(), language, { ...cookieAttributes(), maxAge: 365 * 24 * 60 * 60 });

/** The `Set-Cookie` header that remembers the language of `?lng=`; undefined if nothing is to be. */
export async function rememberLanguage(request: Request): Promise<string | undefined> {
  if (!new URL(request.url).searchParams.has('lng')) return undefined;
  const language = await languageOf(request);
  const isKnown = language === parseLanguageCookie(request.headers.get('Cookie'));
  return isKnown ? undefined : serializeLanguageCookie(language);
}

const dayFormat = (options: Intl.DateTimeFormatOptions) => (day: string, language: Language) =>
  formatParts(day, language, options);
/** « 21 novembre 2026 » */
export const formatDay = dayFormat({ dateStyle: 'long' });
/** The same of an instant, in the site's time zone. */
export const dayInWords = (at: string | Date, language: Language): string =>
  formatDay(dayOf(new Date(at)), language);
/** « 10 mars » */
export const formatDayAndMonth = dayFormat({ day: 'numeric', month: 'long' });
/** « 28 sept. 2026 » */
export const formatShortDay = dayFormat({ day: 'numeric', month: 'short', year: 'numeric' });
/** « samedi 21 novembre 2026 » */
export const formatFullDay = dayFormat({ dateStyle: 'full' });
/** « novembre 2026 » */
export const formatMonth = (month: string, language: Language): string =>
  formatParts(`${month}-01`, language, { month: 'long', year: 'numeric' });

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

/** « 21 nov. 2026, 14:05 » */
export function formatShortInstant(instant: Date, language: Language): string {
  const { timeZone } = siteSettings();
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return dateFormatter(language, options).format(instant).replaceAll('\u202f', '\u00a0');
}

/** « 14:05 » in the site's time zone. */
export function formatTime(instant: Date, language: Language): string {
  const { timeZone } = siteSettings();
  return dateFormatter(language, { timeStyle: 'short', timeZone }).format(instant);
}

const isOfThisYear = (day: string) => day.slice(0, 4) === today().slice(0, 4);
const formatShortestDay = dayFormat({ day: 'numeric', month: 'short' });

/** As the desk shows days: « 28 sept. », and the year where it is not this one. */
export const shortDay = (day: string, language: Language): string =>
  isOfThisYear(day) ? formatShortestDay(day, language) : formatShortDay(day, language);

/** Instants (ISO 8601) likewise: « 21 nov., 14:05 » in the site's time zone. */
export const shortInstants = (language: Language) => (text: string) => {
  const instant = new Date(text);
  const day = dayOf(instant);
  if (!isOfThisYear(day)) return formatShortInstant(instant, language);
  return `${formatShortestDay(day, language)}, ${formatTime(instant, language)}`;
};

/** « mardi 24 novembre à 14 h 07 » */
export const formatMoment = instantFormat({}, false);
/** « dimanche 22 novembre à 18 h 47 (heure de Paris) » */
export const formatInstant = instantFormat({});
/** « dimanche 22 novembre 2026 à 18 h 47 (heure de Paris) » */
export const formatDatedInstant = instantFormat({ year: 'numeric' });
/** « … à 18 h 47 min 03 s (heure de Paris) » */
export const formatLongInstant = instantFormat({ year: 'numeric', second: '2-digit' });

function instantFormat(more: Intl.DateTimeFormatOptions, saysZone = true) {
  return (instant: Date, language: Language, timeZone = siteSettings().timeZone): string => {
    const day = { weekday: 'long', day: 'numeric', month: 'long' } as const;
    const options = { ...day, hour: '2-digit', minute: '2-digit', ...more, timeZone } as const;
    const said = asTimeIsSaid(dateFormatter(language, options).format(instant), language);
    // A number stays with what follows it.
    const text = withOrdinal(said, language).replaceAll(/(?<=\d\S*) (?=\p{L})|\u202f/gu, '\u00a0');
    if (!saysZone) return text;
    // Germans have a short name, of the season: « MEZ ».
    const zone = language === 'de' ? zoneName(instant, language, timeZone, 'short') : undefined;
    return `${text} (${zone ?? formatTimeZone(instant, language, timeZone)})`;
  };
}

/** Names a time zone as people there do, in all seasons: « heure de Paris ». */
export function formatTimeZone(
  instant: Date,
  language: Language,
  timeZone = siteSettings().timeZone,
): string {
  const own = timeZone === 'Europe/Paris' && PARIS_TIME[language];
  return own || zoneName(instant, language, timeZone, 'longGeneric');
}

/** What the French and the English say of the time there; no formatter has names of cities. */
const PARIS_TIME: Partial<Record<Language, string>> = { fr: 'heure de Paris', en: 'Paris time' };

function zoneName(
  instant: Date,
  language: Language,
  timeZone: string,
  timeZoneName: 'short' | 'longGeneric',
): string {
  const parts = dateFormatter(language, { timeZoneName, timeZone }).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** « 14 h 07 » in French, „14:07 Uhr“ in German. */
function asTimeIsSaid(text: string, language: Language): string {
  if (language === 'de') return `${text} Uhr`;
  if (language !== 'fr') return text;
  return text.replace(/(\d\d):(\d\d)(?::(\d\d))?$/, (_, hours, minutes, seconds) => {
    const time = `${Number(hours)}\u00a0h\u00a0${minutes}`;
    return seconds ? `${time}\u00a0min\u00a0${seconds}\u00a0s` : time;
  });
}

function formatParts(day: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  const text = dateFormatter(language, options).format(new Date(`${day}T12:00:00Z`));
  return withOrdinal(text, language);
}

/** French uses an ordinal for the first of a month: « 1er novembre ». */
const withOrdinal = (text: string, language: Language): string =>
  language === 'fr' ? text.replace(/(^| )1 (?=\p{L})/u, '$11er ') : text;

/** « 39,95 € », "US$39.95", „40,27 US-$“ */
export function formatMoney(cents: Cents, currency: Currency, language: Language): string {
  const text = formatWhole(cents / 100, language, { style: 'currency', currency });
  return language === 'de' ? text.replace('$', 'US-$') : text;
}

/** « 75 € » */
export function formatRoundMoney(cents: Cents, currency: Currency, language: Language): string {
  const options = { style: 'currency', currency, maximumFractionDigits: 0 } as const;
  return formatWhole(cents / 100, language, options);
}

/** « 100 000 » */
export const formatNumber = (value: number, language: Language): string =>
  formatWhole(value, language, {});

/** « 2,4 Mo »: megabytes of 1024 × 1024 bytes, as systems show them. */
export function formatFileSize(bytes: number, language: Language): string {
  const kilobytes = bytes / 1024;
  const [value, unit] =
    kilobytes < 1000 ? [Math.ceil(kilobytes), 'kilobyte'] : [kilobytes / 1024, 'megabyte'];
  return formatWhole(value, language, { style: 'unit', unit, maximumFractionDigits: 1 });
}

/** « 99,7 % », of 0 to 100. */
export function formatPercent(percent: number, language: Language, digits = 1): string {
  const options = { style: 'percent', maximumFractionDigits: digits } as const;
  return formatWhole(percent / 100, language, options);
}

/** « 72 heures » */
export const formatDuration = (
  value: number,
  unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year',
  language: Language,
): string => formatWhole(value, language, { style: 'unit', unit, unitDisplay: 'long' });

/** In the largest unit, rounded up: « 15 secondes », « 2 minutes ». */
export function formatWait(seconds: number, language: Language): string {
  if (seconds <= 90) return formatDuration(seconds, 'second', language);
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 90) return formatDuration(minutes, 'minute', language);
  return formatDuration(Math.ceil(minutes / 60), 'hour', language);
}

/** A number and its unit never part. Not the narrow space: the font has none. */
const formatWhole = (
  value: number,
  language: Language,
  options: Intl.NumberFormatOptions,
): string =>
  numberFormatter(language, options)
    .format(value)
    .replaceAll(/[ \u202f]/g, '\u00a0');

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
  return (language: Language, options: Options): Formatter =>
    getOrInsert(cache, `${language} ${JSON.stringify(options)}`, () => make(language, options));
}
