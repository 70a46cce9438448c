type LanguageRow = { name: string; locale: string; weekStartsOn: 0 | 1 };

/** English is British, like most of this site's English-speaking travellers. */
export const LANGUAGE_ROWS = {
  fr: { name: 'Français', locale: 'fr-FR', weekStartsOn: 1 },
  en: { name: 'English', locale: 'en-GB', weekStartsOn: 1 },
  de: { name: 'Deutsch', locale: 'de-DE', weekStartsOn: 1 },
} satisfies Record<string, LanguageRow>;

export type Language = keyof typeof LANGUAGE_ROWS;
export const LANGUAGES = Object.keys(LANGUAGE_ROWS) as Language[];
export const DEFAULT_LANGUAGE: Language = 'fr';

export const toLanguage = (code: unknown): Language | undefined =>
  LANGUAGES.find((language) => language === code);

/** Of a site's languages the one of who speaks none of them: French, else the first. */
export function defaultOf(languages: readonly Language[]): Language {
  const [first = DEFAULT_LANGUAGE] = languages;
  return languages.includes(DEFAULT_LANGUAGE) ? DEFAULT_LANGUAGE : first;
}

/** The text in a language, otherwise in French, otherwise the one that there is (specification, section 1). */
export const textInLanguage = (
  texts: Partial<Record<string, string>>,
  language: Language,
): string => texts[language] ?? texts[DEFAULT_LANGUAGE] ?? Object.values(texts)[0] ?? '';

/** Other parameters (tabs, steps, dates, campaigns) are views of the same page and left out. */
export const localizedUrl = (
  language: Language,
  path: string,
  origin: string,
  defaultLanguage: Language,
): string => `${origin}${path}${language === defaultLanguage ? '' : `?lng=${language}`}`;
