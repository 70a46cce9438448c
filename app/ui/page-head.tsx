import { useMatches, useRouteError } from '@remix-run/react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
// The only way for a layout to see that an action refused a form: a page with errors says so in
// its title. React Router 7 exports the same context.
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom';

import { errorKind } from './error-page';
import { useRootData } from './root-data';

/** What a page says of itself, in the visitor's language: a loader returns it as `page`. */
export interface PageMeta {
  title: string;
  description?: string;
  /** The page shows an error in its own place. */
  error?: boolean;
  /** Keeps search engines from listing the page. */
  noindex?: boolean;
}

/** Title and description of the page, from the loader of its route. */
export function PageHead() {
  const { t } = useTranslation();
  const site = useRootData()?.site.name ?? '';
  const matches = useMatches();
  const error = useRouteError();
  const refused = Object.keys(useContext(RouterState)?.actionData ?? {}).length > 0;
  const page = matches
    .map(({ data }) => (data as { page?: PageMeta } | undefined)?.page)
    .findLast((found) => found !== undefined);

  const own = error ? t(`errors.${errorKind(error).kind}.title`) : (page?.title ?? t('tagline'));
  // Soft hyphens help a heading to break; a tab, a bookmark and a search have no use for them.
  const title = t('title.page', { title: own.replaceAll('\u00ad', ''), site });
  return (
    <>
      <title>{(refused || page?.error) && !error ? t('title.error', { title }) : title}</title>
      {page?.description && <meta name="description" content={page.description} />}
      {page?.noindex && <meta name="robots" content="noindex" />}
    </>
  );
}
