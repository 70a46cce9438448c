import { RemixBrowser } from '@remix-run/react';
import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';

import { createI18n } from '~/i18n/instance';
import { DEFAULT_LANGUAGE, toLanguage } from '~/i18n/languages';
import { loadNamespaces } from '~/i18n/words';

const language = toLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE;
const namespaces = (document.body.dataset['words'] ?? 'shell').split(' ');
const i18n = createI18n(language, await loadNamespaces(language, namespaces));

const [navigation] = performance.getEntriesByType('navigation');
const withoutPlace = (address: string) => address.split('#')[0];
/*
 * Back and Forward, pressed before React is there, change the address of a page that stays. Its page
 * is loaded then: React must neither take over a page of another address, nor meet a router that is
 * already on its way.
 */
const started = new AbortController();

function reloadIfLeft(): boolean {
  const isLeft = navigation && withoutPlace(navigation.name) !== withoutPlace(location.href);
  if (isLeft) location.reload();
  return Boolean(isLeft);
}

// Before the router listens, whose turn comes after this one's.
const reload = (event: Event) => reloadIfLeft() && event.stopImmediatePropagation();
addEventListener('popstate', reload, { signal: started.signal });

function Start({ children }: { children: ReactNode }) {
  // Until it is loaded anew the page stays as the server sent it.
  if (!started.signal.aborted && reloadIfLeft()) throw new Promise(() => undefined);
  useEffect(() => started.abort(), []);
  return children;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <Start>
          <RemixBrowser />
        </Start>
      </I18nextProvider>
    </StrictMode>,
  );
});
