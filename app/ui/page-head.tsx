import { useLocation, useMatches, useRouteError } from '@remix-run/react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
// The only way for a layout to read action data: a page with errors says so in its title.
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom';

import type { Refusal } from '~/http/form.server';
import { localizedUrl, defaultOf, LANGUAGE_ROWS } from '~/i18n/languages';
import { withoutBreaks } from '~/i18n/unbreakable';
import { errorKind, isClosedApplication } from './error-page';
import type { RootData } from '~/root-data.server';
import type { PageHandle, PageMeta } from '~/live.server';
import { usePageMeta, useRootData } from './root-data';

export function PageHead() {
  const { t } = useTranslation();
  const { t: tApplication } = useTranslation('application');
  const root = useRootData();
  const site = root?.site.name ?? '';
  const state = useContext(RouterState);
  // An error that the page's own boundary shows is not among those of the root.
  const error: unknown = useRouteError() ?? Object.values(state?.errors ?? {})[0];
  const answers = Object.values(state?.actionData ?? {}) as Partial<Refusal>[];
  const refused = answers.some((answer) => answer.problem !== undefined);
  const page = usePageMeta();
  const match = useMatches().at(-1);
  // What is private is nothing for a search; pages of the live half that all share are.
  const isShared = (match?.handle as PageHandle | undefined)?.fromMemory !== undefined;
  const isHidden = page?.noindex || (!isShared && match?.id.startsWith('live/'));

  const own = isClosedApplication(error)
    ? tApplication('closed.title')
    : error
      ? t(`errors.${errorKind(error).kind}.title`)
      : (page?.title ?? t('tagline'));
  const plain = withoutBreaks(own);
  const description = page?.description && withoutBreaks(page.description);
  const title = t('title.page', { title: plain, site });
  const listed = root && page && !isHidden && !page.error && !error;
  return (
    <>
      <title>{(refused || page?.error) && !error ? t('title.error', { title }) : title}</title>
      {description && <meta name="description" content={description} />}
      {(isHidden || error) && <meta name="robots" content="noindex" />}
      {listed && <Listing page={{ ...page, title: plain, description }} root={root} />}
    </>
  );
}

function Listing({ page, root }: { page: PageMeta; root: RootData }) {
  const { title, description, structuredData } = page;
  const { pathname } = useLocation();
  const { origin, language, languages, site } = root;
  const main = defaultOf(languages);
  const address = localizedUrl(language, pathname, origin, main);
  return (
    <>
      <link rel="canonical" href={address} />
      {[...languages, 'x-default' as const].map((code) => {
        const href = localizedUrl(code === 'x-default' ? main : code, pathname, origin, main);
        return <link key={code} rel="alternate" hrefLang={code} href={href} />;
      })}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:title" content={title} />
      {description && <meta property="og:description" content={description} />}
      <meta property="og:url" content={address} />
      <meta property="og:locale" content={LANGUAGE_ROWS[language].locale.replace('-', '_')} />
      <meta property="og:image" content={`${origin}/card-${language}.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
      {structuredData && (
        <script
          type="application/ld+json"
          // Escapes `<`, because `</script>` in the data would end the element.
          dangerouslySetInnerHTML={{
            __html: withoutBreaks(
              JSON.stringify({ '@context': 'https://schema.org', '@graph': structuredData }),
            ).replace(/</g, '\\u003c'),
          }}
        />
      )}
    </>
  );
}
