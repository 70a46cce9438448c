import { FALLBACK_LANGUAGE, type Language } from './languages';

/** Words under their keys, in namespaces and parts. */
export type Words = { [key: string]: string | Words };

/**
 * A language's words with English ones where it has none, key by key. The plural forms that the
 * language has and English has not are the English `other`.
 */
export function withFallback(own: Words, english: Words, language: Language): Words {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const merge = (mine: Words, theirs: Words): Words => {
    const merged: Words = { ...mine };
    for (const [key, value] of Object.entries(theirs)) {
      const given = mine[key];
      if (typeof value === 'object') {
        merged[key] = merge(typeof given === 'object' ? given : {}, value);
      } else {
        merged[key] = typeof given === 'string' ? given : value;
      }
      if (typeof value !== 'string' || !key.endsWith('_other')) continue;
      const base = key.slice(0, -'other'.length);
      for (const form of forms) merged[base + form] ??= theirs[base + form] ?? value;
    }
    return merged;
  };
  return language === FALLBACK_LANGUAGE ? own : merge(own, english);
}
