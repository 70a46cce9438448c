import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Footer } from './footer';
import { Header } from './header';
import { Horizon } from './horizon';
import { OfficialText } from './official-text';
import { useRootData } from './root-data';

/** The frame of every page: skip link, header, the truth in one strip, footer. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const root = useRootData();
  const { pathname } = useLocation();
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
      {root && (
        <aside aria-label={t('independence.label')} className="strip">
          <p className="wrap">
            <OfficialText name="strip" fee={root.officialFee} />
          </p>
        </aside>
      )}
      <main id="content" tabIndex={-1} className="grow outline-none">
        {children}
      </main>
      {/* The home page opens with the drawing. */}
      {pathname !== '/' && <Horizon place="halfway" />}
      {root && (
        <Footer
          menus={root.menus}
          company={root.company}
          site={root.site}
          officialFee={root.officialFee}
        />
      )}
    </div>
  );
}
