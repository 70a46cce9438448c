import { FALLBACK_LANGUAGE, type Language } from './languages';

export type Translations = { [key: string]: string | Translations };

/**
 * A language's translations with English ones for missing keys. Plural forms that English does not
 * have fall back to the English `other`.
 */
export function withFallback(
  own: Translations,
  english: Translations,
  language: Language,
): Translations {
  const pluralCategories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const merge = (partial: Translations, fallback: Translations): Translations => {
    const merged: Translations = { ...partial };
    for (const [key, value] of Object.entries(fallback)) {
      const given = partial[key];
      if (typeof value === 'object') {
        merged[key] = merge(typeof given === 'object' ? given : {}, value);
      } else {
        merged[key] = typeof given === 'string' ? given : value;
      }
      if (typeof value !== 'string' || !key.endsWith('_other')) continue;
      const base = key.slice(0, -'other'.length);
      for (const category of pluralCategories)
        merged[base + category] ??= fallback[base + category] ?? value;
    }
    return merged;
  };
  return language === FALLBACK_LANGUAGE ? own : merge(own, english);
}
