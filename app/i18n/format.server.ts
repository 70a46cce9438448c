import type { Language } from './languages';

/** The time zone in which the site's days begin and end. */
const TIME_ZONE = 'Europe/Paris';

/** British order and spelling: the English of this site's travellers. */
const LOCALES: Record<Language, string> = { fr: 'fr-FR', en: 'en-GB', de: 'de-DE' };

/** The day of an instant in words: « 21 novembre 2026 ». */
export function formatDate(instant: Date, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'long',
    timeZone: TIME_ZONE,
  }).format(instant);
}
