import { useLocation, useMatches, useRouteError } from '@remix-run/react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
// The only way for a layout to read action data: a page with errors says so in its title. React
// Router 7 exports the same context.
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom';

import { localizedUrl } from '~/i18n/addresses';
import {
  COMPLETE_LANGUAGES,
  DEFAULT_LANGUAGE,
  FALLBACK_LANGUAGE,
  LANGUAGE_ROWS,
  LANGUAGES,
} from '~/i18n/languages';
import { errorKind } from './error-page';
import { type RootData, useRootData } from './root-data';

/** A page's metadata, in the visitor's language; a loader returns it as `page`. */
export interface PageMeta {
  title: string;
  description?: string;
  /** The page itself shows an error. */
  error?: boolean;
  /** Asks search engines not to list the page. */
  noindex?: boolean;
  /** schema.org entries about the content of the page. */
  structuredData?: Record<string, unknown>[];
}

/** The page's title and description, from its loader. */
export function PageHead() {
  const { t } = useTranslation();
  const root = useRootData();
  const site = root?.site.name ?? '';
  const matches = useMatches();
  const error = useRouteError();
  const refused = Object.keys(useContext(RouterState)?.actionData ?? {}).length > 0;
  const page = matches
    .map(({ data }) => (data as { page?: PageMeta } | undefined)?.page)
    .findLast((found) => found !== undefined);

  const own = error ? t(`errors.${errorKind(error).kind}.title`) : (page?.title ?? t('tagline'));
  // Soft hyphens and word joiners control the line breaks of a heading; they do not belong in a
  // title.
  const plain = own.replace(/[\u00ad\u2060]/g, '');
  const title = t('title.page', { title: plain, site });
  const listed = root && page && !page.noindex && !page.error && !error;
  return (
    <>
      <title>{(refused || page?.error) && !error ? t('title.error', { title }) : title}</title>
      {page?.description && <meta name="description" content={page.description} />}
      {(page?.noindex || error) && <meta name="robots" content="noindex" />}
      {listed && <Listing page={page} title={plain} root={root} />}
    </>
  );
}

/** Metadata for search engines and link previews: canonical URL, languages, image. */
function Listing({ page, title, root }: { page: PageMeta; title: string; root: RootData }) {
  const { pathname } = useLocation();
  const { origin, language, site } = root;
  const address = localizedUrl(language, pathname, origin);
  const data = page.structuredData;
  const card = COMPLETE_LANGUAGES.includes(language) ? language : FALLBACK_LANGUAGE;
  return (
    <>
      <link rel="canonical" href={address} />
      {LANGUAGES.map((code) => (
        <link
          key={code}
          rel="alternate"
          hrefLang={code}
          href={localizedUrl(code, pathname, origin)}
        />
      ))}
      <link
        rel="alternate"
        hrefLang="x-default"
        href={localizedUrl(DEFAULT_LANGUAGE, pathname, origin)}
      />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:title" content={title} />
      {page.description && <meta property="og:description" content={page.description} />}
      <meta property="og:url" content={address} />
      <meta property="og:locale" content={LANGUAGE_ROWS[language].locale.replace('-', '_')} />
      <meta property="og:image" content={`${origin}/card-${card}.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
      {data && (
        <script
          type="application/ld+json"
          // Escapes `<`, because `</script>` in the data would end the element.
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ '@context': 'https://schema.org', '@graph': data }).replace(
              /</g,
              '\\u003c',
            ),
          }}
        />
      )}
    </>
  );
}
