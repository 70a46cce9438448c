import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';

import { createTranslations } from '~/i18n/instance';
import { DEFAULT_LANGUAGE, toLanguage } from '~/i18n/languages';

/** One chunk a language; the browser loads the page's own. */
const words = {
  fr: () => import('./i18n/bundles/fr'),
  en: () => import('./i18n/bundles/en'),
  de: () => import('./i18n/bundles/de'),
};

const language = toLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE;
const i18n = createTranslations(language, (await words[language]()).default);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <RemixBrowser />
      </I18nextProvider>
    </StrictMode>,
  );
});
