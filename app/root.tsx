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
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollRestoration } from 'react-router-dom';

import { rootData } from './root-data.server';
import { useNonce } from '~/http/nonce';
import type { PageHandle } from './live.server';
import { isLiveToast } from '~/http/toasts';
import { takeToast } from '~/http/toast.server';
import { languageOf, rememberLanguage } from '~/i18n/locale.server';
import { ErrorPage } from '~/ui/error-page';
import { PageHead } from '~/ui/page-head';
import { useRootData } from '~/ui/root-data';
import { PublicFrame } from '~/ui/public-frame';
import { useHeadingFocus } from '~/ui/use-heading-focus';
import deskStylesUrl from './desk.css?url';
import liveStylesUrl from './live.css?url';
import progressiveUrl from './progressive.js?url&no-inline';
import stylesUrl from './styles.css?url';

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
  useHeadingFocus(useLocation().pathname);
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
