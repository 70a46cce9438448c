import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';

import { createI18n } from '~/i18n/instance';
import { DEFAULT_LANGUAGE, toLanguage } from '~/i18n/languages';
import { setBrowserInstance, loadNamespaces } from '~/i18n/words';

const language = toLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE;
const namespaces = (document.body.dataset['words'] ?? 'shell').split(' ');
const i18n = createI18n(language, await loadNamespaces(language, namespaces));
setBrowserInstance(i18n);

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
