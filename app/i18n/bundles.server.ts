import { words } from './locales.generated.server';
import { FALLBACK_LANGUAGE, type Language, LANGUAGE_ROWS, LANGUAGES } from './languages';
import { withFallback, type Words } from './fallback';

/** The words of every page in French, the language that has all of them. */
export type Bundle = typeof words.fr;

const given: Partial<Record<Language, Words>> = words;

/** The words of every page in every language; a browser loads those that it needs (`words.ts`). */
export const bundles = Object.fromEntries(
  LANGUAGES.map((language) => {
    const own = given[language] ?? {};
    const { partial } = LANGUAGE_ROWS[language];
    return [language, partial ? withFallback(own, given[FALLBACK_LANGUAGE] ?? {}, language) : own];
  }),
) as unknown as Record<Language, Bundle>;
