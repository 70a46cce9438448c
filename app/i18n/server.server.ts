import { parse, serialize } from 'cookie';
import type { i18n, TFunction } from 'i18next';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { RemixI18Next } from 'remix-i18next/server';

import { env } from '~/env.server';
import { type Bundle, bundles } from './bundles.server';
import { createTranslations } from './instance';
import { DEFAULT_LANGUAGE, type Language, LANGUAGES, toLanguage } from './languages';

/** One instance a language for the life of the process: making one takes as long as a page. */
const instances = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    remembering(createTranslations(language, bundles[language])),
  ]),
) as Record<Language, i18n>;

const negotiation = new RemixI18Next({
  detection: {
    supportedLanguages: [...LANGUAGES],
    fallbackLanguage: DEFAULT_LANGUAGE,
    searchParamKey: 'lng',
    order: ['searchParams', 'custom'],
    // The library's own look at Accept-Language stops at the browser's first language, spoken
    // here or not.
    findLocale: ({ headers }) =>
      Promise.resolve(languageByHeaders(headers.get('Cookie'), headers.get('Accept-Language'))),
  },
});

/** The visitor's language: `?lng=`, else the cookie, else Accept-Language, else French. */
export async function languageOf(request: Request): Promise<Language> {
  return toLanguage(await negotiation.getLocale(request)) ?? DEFAULT_LANGUAGE;
}

/** The i18next instance of a language. */
export function translations(language: Language): i18n {
  return instances[language];
}

/** The translate function of a language; keys without a namespace are the shell's. */
export function translator(language: Language): TFunction<readonly ['shell', ...(keyof Bundle)[]]> {
  return instances[language].t;
}

/** The language of a visitor whose address asks for none: by the cookie, else Accept-Language. */
export function languageByHeaders(
  cookie: string | null | undefined,
  acceptLanguage: string | null | undefined,
): Language {
  return cookieLanguage(cookie) ?? browserLanguage(acceptLanguage) ?? DEFAULT_LANGUAGE;
}

/** The language in the visitor's cookie. */
export function rememberedLanguage(request: Request): Language | undefined {
  return cookieLanguage(request.headers.get('Cookie'));
}

function cookieLanguage(cookie: string | null | undefined): Language | undefined {
  return toLanguage(parse(cookie ?? '')[languageCookieName()]);
}

/** The language of Accept-Language that the visitor likes best among those spoken here. */
function browserLanguage(acceptLanguage: string | null | undefined): Language | undefined {
  const headers = { 'accept-language': acceptLanguage ?? '' };
  return toLanguage(new Negotiator({ headers }).language([...LANGUAGES]));
}

function languageCookieName(): string {
  return env().secure ? '__Host-lng' : 'lng';
}

/** The `Set-Cookie` header that remembers a language for a year; a plain code, not signed. */
export function languageCookie(language: Language): string {
  return serialize(languageCookieName(), language, {
    path: '/',
    maxAge: 365 * 24 * 60 * 60,
    sameSite: 'lax',
    httpOnly: true,
    secure: env().secure,
  });
}

type Translate = (key: string, ...options: unknown[]) => string;

/** Makes an instance look up each text once: half of what a page takes is finding its words. */
function remembering(instance: i18n): i18n {
  const made = new Map<string, Translate>();
  const make = instance.getFixedT.bind(instance) as unknown as (...of: unknown[]) => Translate;
  const getFixedT = (...of: unknown[]) => {
    const name = JSON.stringify(of);
    const translate = made.get(name) ?? rememberPlain(make(...of));
    made.set(name, translate);
    return translate;
  };
  return Object.assign(instance, { getFixedT });
}

/** Texts of a language with a number in them, such as "Question 1 of 13". */
const MOST_COUNTS = 500;

/** A text without values to fill in is the same each time; with numbers it is one of a few. */
function rememberPlain(translate: Translate): Translate {
  const said = new Map<string, string>();
  const counted = new LRUCache<string, string>({ max: MOST_COUNTS });
  return Object.assign((key: string, ...options: unknown[]) => {
    if (typeof key !== 'string') return translate(key, ...options);
    if (options.length > 0 && !areNumbers(options)) return translate(key, ...options);
    const [known, name] =
      options.length > 0 ? [counted, key + JSON.stringify(options)] : [said, key];
    const text = known.get(name) ?? translate(key, ...options);
    known.set(name, text);
    return text;
  }, translate);
}

/** One object of values to fill in, all of them numbers. */
function areNumbers(options: unknown[]): boolean {
  const [values] = options;
  return (
    options.length === 1 &&
    typeof values === 'object' &&
    values !== null &&
    Object.values(values).every((value) => typeof value === 'number')
  );
}
