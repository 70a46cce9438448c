/** The interface languages; the first is the default and the fallback (specification, section 9). */
export const LANGUAGES = ['fr', 'en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = LANGUAGES[0];

/** Each language by its own name. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  fr: 'Français',
  en: 'English',
  de: 'Deutsch',
};

/** The language of that code; undefined if the site does not speak it. */
export function toLanguage(code: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === code);
}
