import fontUrl from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2';
import { json, type LoaderFunctionArgs } from '@remix-run/node';
import {
  Links,
  Outlet,
  Scripts,
  useLoaderData,
  useLocation,
  useMatches,
  useNavigation,
  useRouteError,
} from '@remix-run/react';
import { type ReactNode, useEffect, useContext } from 'react';
import { useTranslation } from 'react-i18next';
// The only way for a layout to read action data: a page with errors says so in its title.
import { ScrollRestoration, UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom';

import { type RootData, rootData } from './root-data.server';
import { useNonce } from '~/http/nonce';
import { isLiveToast } from '~/http/toasts';
import { takeToast } from '~/http/toast.server';
import { languageOf, rememberLanguage } from '~/i18n/locale.server';
import { PublicFrame } from '~/ui/public-frame';
import { useHeadingFocus } from '~/ui/use-heading-focus';
import deskStylesUrl from './desk.css?url';
import liveStylesUrl from './live.css?url';
import progressiveUrl from './progressive.js?url&no-inline';
import stylesUrl from './styles.css?url';
import type { Refusal } from '~/http/form.server';
import { localizedUrl, defaultOf, LANGUAGE_ROWS } from '~/i18n/languages';
import { withoutBreaks } from '~/i18n/unbreakable';
import { errorKind, ErrorPage, isClosedApplication } from '~/ui/error-page';
import type { PageHandle, PageMeta } from '~/live.server';
import { usePageMeta, useRootData } from '~/ui/root-data';

export async function loader({ request }: LoaderFunctionArgs) {
  const headers = new Headers();
  const language = await languageOf(request);
  const remembered = await rememberLanguage(request);
  if (remembered) headers.append('Set-Cookie', remembered);
  const taken = await takeToast(request);
  if (taken) headers.append('Set-Cookie', taken.header);
  return json(await rootData(language, taken?.toast), { headers });
}

export function Layout({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const nonce = useNonce();
  const page = useMatches().at(-1);
  const handle = page?.handle as PageHandle | undefined;
  const { toast, applicationsOpen = true } = useRootData() ?? {};
  const ofToast = toast && isLiveToast(toast.name) ? ['toasts'] : [];
  const namespaces = handle?.namespaces && ['shell', ...ofToast, ...handle.namespaces].join(' ');
  const isLive = applicationsOpen && page?.id.startsWith('live/');
  const isDesk = isLive && page?.id.startsWith('live/crm');
  const hasLiveStyles = isLive && !isDesk && !handle?.fromMemory;
  return (
    <html lang={i18n.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <PageHead />
        <link rel="preload" href={fontUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={isDesk ? deskStylesUrl : stylesUrl} />
        {hasLiveStyles && <link rel="stylesheet" href={liveStylesUrl} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <script src={progressiveUrl} defer nonce={nonce} />
        <Links />
      </head>
      <body data-words={namespaces} data-loading-guide={t('loadingGuide')}>
        {children}
        {namespaces && (
          <>
            <ScrollRestoration />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

export default function App() {
  const { language, anotherDay } = useLoaderData<typeof loader>();
  const { i18n } = useTranslation();
  useEffect(() => {
    // The language was changed in another tab: without a reload, this page would mix languages.
    if (language !== i18n.language) window.location.reload();
  }, [language, i18n.language]);
  const { state } = useNavigation();
  const { pathname, search } = useLocation();
  useHeadingFocus(pathname);
  return (
    <>
      {state !== 'idle' && (
        <div
          className="fixed inset-x-0 top-0 z-30 h-[3px] origin-left animate-loading bg-marker"
          aria-hidden="true"
        />
      )}
      {anotherDay && (
        <form method="post" action="/crm/content" className="say say-look">
          {anotherDay.text}
          <input type="hidden" name="to" value={pathname + search} />
          <button name="intent" value="another-day" className="text-button">
            {anotherDay.back}
          </button>
        </form>
      )}
      <Outlet />
    </>
  );
}

export function ErrorBoundary() {
  return (
    <PublicFrame>
      <ErrorPage error={useRouteError()} />
    </PublicFrame>
  );
}

function PageHead() {
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
