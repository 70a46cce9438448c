import { useLocation, useMatches, useRouteLoaderData } from '@remix-run/react';

import type { MenuLink, SiteView, StaffView, User } from '~/content/views';
import type { Language } from '~/i18n/languages';
import type { Menu } from '~/site-map';
import type { CompanyContact } from './footer';
import type { PageMeta } from './page-head';
import type { ToastProps } from './toast';

/** The root loader's data, for the shell of every page. */
export interface RootData {
  language: Language;
  /** Those of the site, in the order in which they are offered. */
  languages: Language[];
  /** The site's origin. */
  origin: string;
  toast: ToastProps | undefined;
  menus: Record<Menu, MenuLink[]>;
  site: SiteView;
  company: CompanyContact;
  /** Today's official fee, formatted. */
  officialFee: string;
  /** Whether an application can be started in this mode. */
  applicationsOpen: boolean;
  /** Whether the operator offers a money-back guarantee beyond the law. */
  guaranteeOffered: boolean;
  /** The days in which it can be asked for. */
  guaranteeDays: number;
  /** Who is signed in; always null while the site is offline. */
  user: User | null;
  /** Who of the staff is signed in; null but at the desk. */
  staff: StaffView | null;
}

/** The root loader's data; undefined only if the root loader itself failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData('root') as RootData | undefined;
}

/** The id of a page's own form, for the language buttons of header and footer. */
export const PAGE_FORM = 'page-form';

/**
 * The page's address, for a form that is answered by its own page. Without it a browser also sends
 * what stands after `#`, such as the field that a link led to, and opens the answer there instead of
 * at the summary of its errors or at the row that was added.
 */
export function useOwnAddress(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}

/** The metadata of the page that is shown. */
export function usePageMeta(): PageMeta | undefined {
  return useMatches()
    .map(({ data }) => (data as { page?: PageMeta } | undefined)?.page)
    .findLast((found) => found !== undefined);
}
