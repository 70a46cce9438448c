import { useRouteLoaderData } from '@remix-run/react';

import type { MenuLink } from '~/content/views';
import type { ToastName } from '~/http/toasts';
import type { Language } from '~/i18n/languages';
import type { Menu } from '~/site-map';
import type { User } from './account-menu';
import type { CompanyContact } from './footer';

/** The root loader's data, for the shell of every page. */
export interface RootData {
  language: Language;
  /** The site's origin. */
  origin: string;
  toast: { name: ToastName; href?: string | undefined } | undefined;
  menus: Record<Menu, MenuLink[]>;
  site: { name: string; logo: string | null };
  company: CompanyContact;
  /** Today's official fee, formatted. */
  officialFee: string;
  /** Always null: nobody can sign in in this build. */
  user: User | null;
}

/** The root loader's data; undefined only if the root loader itself failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData('root') as RootData | undefined;
}
