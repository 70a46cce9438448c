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

const [navigation] = performance.getEntriesByType('navigation');
const withoutPlace = (address: string) => address.split('#')[0];
// Back or Forward, pressed before React was there, has changed the address of a page that stayed.
if (navigation && withoutPlace(navigation.name) !== withoutPlace(location.href)) {
  location.reload();
} else {
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
}
