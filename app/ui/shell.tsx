import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import { Footer } from './footer';
import { Header } from './header';
import { useRootData } from './root-data';

/** The frame of every page: skip link, header, independence notice, footer. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const root = useRootData();
  return (
    <div className="flex min-h-screen flex-col">
      <a
        href="#content"
        data-focus
        className="button fixed top-2 left-2 z-20 not-focus:sr-only print:hidden"
      >
        {t('skipToContent')}
      </a>
      {root && <Header menu={root.menus.main} site={root.site} user={root.user} />}
      <main id="content" tabIndex={-1} className="grow outline-none">
        {children}
      </main>
      {root && (
        <aside
          aria-label={t('independence.label')}
          className="mx-auto mt-16 w-full max-w-6xl px-4 text-base text-muted"
        >
          <p className="max-w-[80ch] border-l-4 border-saffron pl-4">
            <Trans
              i18nKey="independence.text"
              values={{ fee: root.officialFee }}
              components={{ official: <OfficialSite /> }}
            />
          </p>
        </aside>
      )}
      {root && <Footer menus={root.menus} company={root.company} />}
    </div>
  );
}

/** A link to the authority's site, for use in translated text. */
function OfficialSite({ children }: { children?: ReactNode }) {
  return (
    <a href="https://esta.cbp.dhs.gov/" rel="noreferrer">
      {children}
    </a>
  );
}
