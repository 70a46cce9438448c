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
/** Loads the page of the address, if Back or Forward has changed that under a page that stayed. */
function reloadIfLeft(): boolean {
  const isLeft = navigation && withoutPlace(navigation.name) !== withoutPlace(location.href);
  if (isLeft) location.reload();
  return Boolean(isLeft);
}

/**
 * Back and Forward before the router listens: looked at just before it reads the address, so that
 * React never meets the words of another page, and once it listens.
 */
function Arrival({ children }: { children: ReactNode }) {
  // Until it is reloaded the page stays as the server sent it.

  if (reloadIfLeft()) throw new Promise(() => undefined);
  useEffect(() => void reloadIfLeft(), []);
  return children;
}

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
