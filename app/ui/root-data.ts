import { useLocation, useMatches, useRouteLoaderData } from '@remix-run/react';

import type { SiteView } from '~/content/site.server';
import type { Language } from '~/i18n/languages';
import type { PageMeta } from './page-head';
import type { ToastProps } from './toast';

/** The root loader's data, for every page. */
export interface RootData {
  language: Language;
  /** Those of the site, in the order in which they are offered. */
  languages: Language[];
  origin: string;
  toast: ToastProps | undefined;
  site: SiteView;
  /** Today's official fee, formatted. */
  officialFee: string;
  applicationsOpen: boolean;
  /** Whether the operator offers a money-back guarantee beyond the law. */
  guaranteeOffered: boolean;
  guaranteeDays: number;
}

export function useRootData(): RootData | undefined {
  return useRouteLoaderData('root') as RootData | undefined;
}

/** The id of a page's own form, for the language buttons of header and footer. */
export const PAGE_FORM = 'page-form';

/** Without an address a form is sent with what stands after `#`, and its answer opens there. */
export function useOwnAddress(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}

export function usePageMeta(): PageMeta | undefined {
  return useMatches()
    .map(({ data }) => (data as { page?: PageMeta } | undefined)?.page)
    .findLast((found) => found !== undefined);
}
