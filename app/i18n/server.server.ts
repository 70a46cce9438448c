import { parse, serialize } from 'cookie';
import type { i18n, TFunction } from 'i18next';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { RemixI18Next } from 'remix-i18next/server';

import { env } from '~/env.server';
import { type Resources, bundles } from './bundles.server';
import { createI18n } from './instance';
import { DEFAULT_LANGUAGE, type Language, LANGUAGES, toLanguage } from './languages';

/** One instance per language and process: creating one takes as long as rendering a page. */
const instances = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    memoizeTranslations(createI18n(language, bundles[language])),
  ]),
) as Record<Language, i18n>;

const languageDetector = new RemixI18Next({
  detection: {
    supportedLanguages: [...LANGUAGES],
    fallbackLanguage: DEFAULT_LANGUAGE,
    searchParamKey: 'lng',
    order: ['searchParams', 'custom'],
    // The library's own detection only considers the browser's first language, supported or not.
    findLocale: ({ headers }) =>
      Promise.resolve(languageFromHeaders(headers.get('Cookie'), headers.get('Accept-Language'))),
  },
});

/** The visitor's language: `?lng=`, else the cookie, else Accept-Language, else French. */
export async function languageOf(request: Request): Promise<Language> {
  return toLanguage(await languageDetector.getLocale(request)) ?? DEFAULT_LANGUAGE;
}

/** The i18next instance of a language. */
export function translations(language: Language): i18n {
  return instances[language];
}

/** The `t` function of a language; the default namespace is `shell`. */
export function translator(
  language: Language,
): TFunction<readonly ['shell', ...(keyof Resources)[]]> {
  return instances[language].t;
}

/**
 * The language of a request without `?lng=`: from the cookie, else Accept-Language, else French.
 */
export function languageFromHeaders(
  cookie: string | null | undefined,
  acceptLanguage: string | null | undefined,
): Language {
  return parseLanguageCookie(cookie) ?? parseAcceptLanguage(acceptLanguage) ?? DEFAULT_LANGUAGE;
}

/** The language stored in the visitor's cookie; undefined if there is none. */
export function languageFromCookie(request: Request): Language | undefined {
  return parseLanguageCookie(request.headers.get('Cookie'));
}

function parseLanguageCookie(cookie: string | null | undefined): Language | undefined {
  return toLanguage(parse(cookie ?? '')[cookieName()]);
}

/** The supported language that Accept-Language ranks highest. */
function parseAcceptLanguage(acceptLanguage: string | null | undefined): Language | undefined {
  const headers = { 'accept-language': acceptLanguage ?? '' };
  return toLanguage(new Negotiator({ headers }).language([...LANGUAGES]));
}

function cookieName(): string {
  return env().secure ? '__Host-lng' : 'lng';
}

/** The `Set-Cookie` header that stores the language for a year: a plain code, not signed. */
export function serializeLanguageCookie(language: Language): string {
  return serialize(cookieName(), language, {
    path: '/',
    maxAge: 365 * 24 * 60 * 60,
    sameSite: 'lax',
    httpOnly: true,
    secure: env().secure,
  });
}

type Translate = (key: string, ...options: unknown[]) => string;

/** Makes an instance cache its texts: half of the rendering time is spent on looking them up. */
function memoizeTranslations(instance: i18n): i18n {
  const cache = new Map<string, Translate>();
  const createFixedT = instance.getFixedT.bind(instance) as unknown as (
    ...of: unknown[]
  ) => Translate;
  const getFixedT = (...of: unknown[]) => {
    const cacheKey = JSON.stringify(of);
    const translate = cache.get(cacheKey) ?? memoizeTranslate(createFixedT(...of));
    cache.set(cacheKey, translate);
    return translate;
  };
  return Object.assign(instance, { getFixedT });
}

/** Maximum number of cached texts that contain numbers, such as "Question 1 of 13". */
const MAX_NUMERIC_TEXTS = 500;

/** Caches texts without interpolation, and texts that only interpolate numbers. */
function memoizeTranslate(translate: Translate): Translate {
  const plainTexts = new Map<string, string>();
  const numericTexts = new LRUCache<string, string>({ max: MAX_NUMERIC_TEXTS });
  return Object.assign((key: string, ...options: unknown[]) => {
    if (typeof key !== 'string') return translate(key, ...options);
    if (options.length > 0 && !hasOnlyNumbers(options)) return translate(key, ...options);
    const [cache, cacheKey] =
      options.length > 0 ? [numericTexts, key + JSON.stringify(options)] : [plainTexts, key];
    const text = cache.get(cacheKey) ?? translate(key, ...options);
    cache.set(cacheKey, text);
    return text;
  }, translate);
}

/** Whether the only argument is an object of numbers. */
function hasOnlyNumbers(options: unknown[]): boolean {
  const [values] = options;
  return (
    options.length === 1 &&
    typeof values === 'object' &&
    values !== null &&
    Object.values(values).every((value) => typeof value === 'number')
  );
}
