import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Footer } from './footer';
import { Header } from './header';
import { Horizon } from './horizon';
import { OfficialText } from './official-text';
import { useRootData } from './root-data';
import { StaffHeader } from './staff-header';

/** The frame of every page: skip link, header, the truth in one strip, footer; the desk has its own. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const root = useRootData();
  const { pathname } = useLocation();
  // The desk loads no React: its header stays out of what a browser loads.
  const staff = import.meta.env.SSR && root?.staff;
  return (
    <div className="flex min-h-screen flex-col">
      <a
        href="#content"
        data-focus
        className="button fixed top-2 left-2 z-20 not-focus:sr-only print:hidden"
      >
        {t('skipToContent')}
      </a>
      {root && staff && <StaffHeader staff={staff} site={root.site} />}
      {root && !staff && <Header menu={root.menus.main} site={root.site} user={root.user} />}
      {root && !staff && (
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
      {pathname !== '/' && !staff && <Horizon place="halfway" />}
      {root && !staff && (
        <Footer
          menus={root.menus}
          company={root.company}
          site={root.site}
          officialFee={root.officialFee}
          hasContracts={root.applicationsOpen}
        />
      )}
    </div>
  );
}
