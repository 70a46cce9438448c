import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';

import type { Language } from './languages';

export type Translations = { [key: string]: string | Translations };

export function createI18n(language: Language, translations: Translations): i18n {
  const instance = createInstance().use(initReactI18next);
  void instance.init({
    lng: language,
    resources: { [language]: translations },
    defaultNS: 'shell',
    // React escapes values itself.
    interpolation: { escapeValue: false },
    initImmediate: false,
    react: { useSuspense: false },
  });
  // Grouped as in `locale.server.ts`: the font has no narrow no-break space.
  instance.services.formatter?.add('number', (value: number, lng) =>
    new Intl.NumberFormat(lng).format(value).replaceAll('\u202f', '\u00a0'),
  );
  return instance;
}
