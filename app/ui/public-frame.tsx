import { useLocation, useRouteLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { MenuLink, User } from '~/content/views';
import type { Menu } from '~/site-map';
import { type CompanyContact, Footer } from './footer';
import { Frame } from './frame';
import { Header } from './header';
import { Horizon } from './horizon';
import { OfficialText } from './official-text';
import { useRootData } from './root-data';

export interface PublicData {
  menus: Record<Menu, MenuLink[]>;
  company: CompanyContact;
  /** Who is signed in; always null while the site is offline. */
  user: User | null;
  /** Mails are shown at `/outbox`, and go nowhere. */
  outbox: boolean;
}

/** Undefined at the desk, and where its loader failed; in offline mode the desk's layout has it. */
export function usePublicData(): PublicData | undefined {
  const desk: { offline?: PublicData } | undefined = useRouteLoaderData('live/staff');
  const own: PublicData | undefined = useRouteLoaderData('public');
  return own ?? desk?.offline;
}

export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const root = useRootData();
  const own = usePublicData();
  const { pathname } = useLocation();
  return (
    <Frame
      header={
        root &&
        own && (
          <>
            <Header menu={own.menus.main} site={root.site} user={own.user} />
            <aside aria-label={t('independence.label')} className="strip">
              <p className="wrap">
                <OfficialText name="strip" fee={root.officialFee} />
              </p>
            </aside>
          </>
        )
      }
      footer={
        <>
          {/* The home page opens with the drawing. */}
          {pathname !== '/' && <Horizon place="halfway" />}
          {root && own && (
            <Footer
              menus={own.menus}
              company={own.company}
              site={root.site}
              officialFee={root.officialFee}
              hasContracts={root.applicationsOpen}
            />
          )}
        </>
      }
    >
      {children}
    </Frame>
  );
}
