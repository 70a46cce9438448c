import { useRouteLoaderData } from '@remix-run/react';

import type { MenuLink } from '~/content/views';
import type { ToastName } from '~/http/toasts';
import type { Language } from '~/i18n/languages';
import type { Menu } from '~/site-map';
import type { User } from './account-menu';
import type { CompanyContact } from './footer';

/** What the root's loader gives to the shell of every page. */
export interface RootData {
  language: Language;
  /** The site's own address. */
  origin: string;
  toast: { name: ToastName; href?: string | undefined } | undefined;
  menus: Record<Menu, MenuLink[]>;
  site: { name: string; logo: string | null };
  company: CompanyContact;
  /** Today's official fee, formatted. */
  officialFee: string;
  /** Authentication is off in this build: nobody is ever signed in. */
  user: User | null;
}

/** The root's data; undefined only where the root's loader itself has failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData('root') as RootData | undefined;
}
