import { useLocation, useMatches, useRouteLoaderData } from '@remix-run/react';

import type { applicationInHand } from '~/applications/access.server';
import type { RootData } from '~/root-data.server';
import type { PageMeta } from '~/live.server';

/** Undefined only if the root loader itself failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData('root') as RootData | undefined;
}

type ApplicationInHand = Awaited<ReturnType<typeof applicationInHand>>;

/** What the layout has loaded; undefined before an application is begun, and where none is open. */
export function useApplication() {
  const data = useRouteLoaderData<{ application?: ApplicationInHand }>('live/application');
  return data?.application ?? undefined;
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
