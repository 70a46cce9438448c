/** An interface language. */
interface LanguageRow {
  /** Its own name. */
  name: string;
  /** The region by which dates and numbers are written (BCP 47). */
  locale: string;
  /** The first day of a week where its travellers live: 0 is Sunday, 1 Monday. */
  weekStartsOn: 0 | 1;
  /** What has not been translated yet is shown in English, key by key. */
  partial?: true;
}

/**
 * The interface languages, a row each; the first is the default and what is spoken to who speaks
 * none of them (specification, section 9). British order and spelling is the English of this site's
 * travellers.
 */
const ROWS = {
  fr: { name: 'Français', locale: 'fr-FR', weekStartsOn: 1 },
  en: { name: 'English', locale: 'en-GB', weekStartsOn: 1 },
  de: { name: 'Deutsch', locale: 'de-DE', weekStartsOn: 1 },
} satisfies Record<string, LanguageRow>;

export type Language = keyof typeof ROWS;
export const LANGUAGES = Object.keys(ROWS) as Language[];
export const DEFAULT_LANGUAGE: Language = 'fr';
/** In whose words a partial language says what it has none for. */
export const FALLBACK_LANGUAGE: Language = 'en';

/** What is known of each language. */
export const LANGUAGE_ROWS: Record<Language, LanguageRow> = ROWS;

/** The languages that have words for everything. */
export const COMPLETE_LANGUAGES = LANGUAGES.filter((code) => !LANGUAGE_ROWS[code].partial);

/** The language of that code; undefined if the site does not speak it. */
export function toLanguage(code: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === code);
}

/** A text that need not be there in every language, in the reader's or in English. */
export function textIn(texts: Partial<Record<string, string>>, language: Language): string {
  return texts[language] ?? texts[FALLBACK_LANGUAGE] ?? '';
}
