import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

import type { Words } from './fallback';
import type { Language } from './languages';

/** A ready i18next instance that speaks one language, from words that are already loaded. */
export function createTranslations(language: Language, words: Words): i18n {
  const instance = createInstance().use(initReactI18next);
  void instance.init({
    lng: language,
    resources: { [language]: words },
    defaultNS: 'shell',
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    initImmediate: false,
    react: { useSuspense: false },
  });
  return instance;
}
