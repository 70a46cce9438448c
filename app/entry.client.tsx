import { RemixBrowser } from '@remix-run/react';
import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
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
/** Whether Back or Forward, pressed before React was there, has changed the address alone. */
const isAnotherPage = () =>
  navigation && withoutPlace(navigation.name) !== withoutPlace(location.href);

/** Looks once more when the router has begun to listen. */
function Arrival({ children }: { children: ReactNode }) {
  useEffect(() => {
    if (isAnotherPage()) location.reload();
  }, []);
  return children;
}

if (isAnotherPage()) {
  location.reload();
} else {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <I18nextProvider i18n={i18n}>
          <Arrival>
            <RemixBrowser />
          </Arrival>
        </I18nextProvider>
      </StrictMode>,
    );
  });
}
