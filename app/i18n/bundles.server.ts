import { words } from './locales.generated.server';
import { FALLBACK_LANGUAGE, type Language, LANGUAGE_ROWS, LANGUAGES } from './languages';
import { withFallback, type Translations } from './fallback';
import { unbreakableTranslations } from './unbreakable';

export type Resources = typeof words.fr;

const available: Partial<Record<Language, Translations>> = unbreakableTranslations(words);

/** The browser loads only those that it needs (`words.ts`). */
export const bundles = Object.fromEntries(
  LANGUAGES.map((language) => {
    const own = available[language] ?? {};
    const { partial } = LANGUAGE_ROWS[language];
    return [
      language,
      partial ? withFallback(own, available[FALLBACK_LANGUAGE] ?? {}, language) : own,
    ];
  }),
) as unknown as Record<Language, Resources>;
