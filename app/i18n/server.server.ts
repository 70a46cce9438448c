import { parse, serialize } from 'cookie';
import type { i18n, TFunction } from 'i18next';
import Negotiator from 'negotiator';
import { RemixI18Next } from 'remix-i18next/server';

import { env } from '~/env.server';
import { defaultLanguage, siteSettings } from '~/settings/settings.server';
import { bundles } from './bundles.server';
import { createI18n } from './instance';
import { type Language, LANGUAGES } from './languages';
import { withMemory } from './text-memory.server';

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
export async function languageOf(request: Request): Promise<Language> {
  return offeredLanguage(await languageDetector().getLocale(request)) ?? defaultLanguage();
}

export function offeredLanguage(code: unknown): Language | undefined {
  return siteSettings().languages.find((language) => language === code);
}

/** An instance's own `t` has no memory; those of `getFixedT` have. */
const translators = Object.fromEntries(
  LANGUAGES.map((language) => [language, instances[language].getFixedT(language)]),
) as Record<Language, TFunction>;

export function translations(language: Language): i18n {
  return instances[language];
}

/** The `t` function of a language; the default namespace is `shell`. */
export function translator(language: Language): TFunction {
  return translators[language];
}

/** Without `?lng=`: from the cookie, else Accept-Language, else the default. */
export function languageFromHeaders(
  cookie: string | null | undefined,
  acceptLanguage: string | null | undefined,
): Language {
  return parseLanguageCookie(cookie) ?? parseAcceptLanguage(acceptLanguage) ?? defaultLanguage();
}

function parseLanguageCookie(cookie: string | null | undefined): Language | undefined {
  return offeredLanguage(parse(cookie ?? '')[cookieName()]);
}

/** The supported language that Accept-Language ranks highest. */
function parseAcceptLanguage(acceptLanguage: string | null | undefined): Language | undefined {
  const headers = { 'accept-language': acceptLanguage ?? '' };
  // Of languages that are equally welcome, the default.
  const offered = [defaultLanguage(), ...siteSettings().languages];
  return offeredLanguage(new Negotiator({ headers }).language(offered));
}

function cookieName(): string {
  return env().secure ? '__Host-lng' : 'lng';
}

export function serializeLanguageCookie(language: Language): string {
  return serialize(cookieName(), language, {
    path: '/',
    maxAge: 365 * 24 * 60 * 60,
    sameSite: 'lax',
    httpOnly: true,
    secure: env().secure,
  });
}

/** The `Set-Cookie` header that remembers the language of `?lng=`; undefined if nothing is to be. */
export async function rememberLanguage(request: Request): Promise<string | undefined> {
  if (!new URL(request.url).searchParams.has('lng')) return undefined;
  const language = await languageOf(request);
  const isKnown = language === parseLanguageCookie(request.headers.get('Cookie'));
  return isKnown ? undefined : serializeLanguageCookie(language);
}
