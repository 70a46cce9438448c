import { useLocation, useMatches, useRouteLoaderData } from '@remix-run/react';

import type { RootData } from '~/content/site.server';

/** Undefined only if the root loader itself failed. */
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

/** A page's metadata, in the visitor's language; a loader returns it as `page`. */
export interface PageMeta {
  title: string;
  description?: string | undefined;
  error?: boolean;
  /** The page has a form for input, with the id `PAGE_FORM`: a change of language keeps it. */
  form?: boolean;
  noindex?: boolean;
  structuredData?: Record<string, unknown>[];
}

export function usePageMeta(): PageMeta | undefined {
  return useMatches()
    .map(({ data }) => (data as { page?: PageMeta } | undefined)?.page)
    .findLast((found) => found !== undefined);
}
