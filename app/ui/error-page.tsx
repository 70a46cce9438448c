import { isRouteErrorResponse } from '@remix-run/react';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';

import { Jumps, Part } from './elements';
import type { IconName } from './icon-names';
import { textsOf, thrownWith, TypedAgainContext } from '~/http/typed-again';
import { usePublicData } from './public-frame';
import { SignInAgain, StillHere, TypedTexts } from './typed-again';

export function errorKind(error: unknown) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return { status, kind: kindOf(status, error) };
}

function kindOf(status: number, error: unknown) {
  if (status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  if (status === 429) return 'tooMany';
  if (status === 503) return isOtherServer(error) ? 'otherServer' : 'unavailable';
  return status < 500 ? 'badRequest' : 'unexpected';
}

export function isClosedApplication(error: unknown): boolean {
  if (!isRouteErrorResponse(error) || error.status !== 404) return false;
  return (error.data as { application?: unknown } | null)?.application === 'closed';
}

function isOtherServer(error: unknown): boolean {
  const { data } = error as { data?: { server?: unknown } | null };
  return data?.server === 'other';
}

/** Where somebody goes who looks for something; the menu has their words. */
const NOT_FOUND_LINKS: [href: string, icon: IconName][] = [
  ['/eligibility-check', 'circle-check'],
  ['/application-guide', 'book-open'],
  ['/contact', 'mail'],
];

type ErrorPageProps = { error: unknown; home?: '/' | '/crm/dashboard' };
export function ErrorPage({ error, home = '/' }: ErrorPageProps) {
  const { t } = useTranslation();
  const { status, kind } = errorKind(error);
  const typed = useContext(TypedAgainContext);
  const { signIn, needs = 'session' } = thrownWith(error);
  if (typed && signIn) return <SignInAgain typed={typed} signIn={signIn} needs={needs} />;
  const isForNow = status === 429 || status >= 500;
  return (
    <div
      className="wrap pt-5 sm:pt-12"
      data-not-found={kind === 'notFound' ? '' : undefined}
      // A reload sends the form once more, which nobody has taken yet.
      data-typed-again={isForNow ? '' : undefined}
    >
      <p className="stamp stamp-small text-action tabular-nums">{status}</p>
      <h1 className="mt-4 text-h1">{t(`errors.${kind}.title`)}</h1>
      <p className="lead mt-3">{t(`errors.${kind}.text`)}</p>
      {status >= 500 && <Reference />}
      {typed && (isForNow ? <StillHere typed={typed} /> : <TypedTexts texts={textsOf(typed)} />)}
      <p className="mt-6">
        <a href={home} className="button">
          {t(home === '/' ? 'errors.returnHome' : 'errors.toDashboard')}
        </a>
      </p>
      {kind === 'notFound' && <NotFoundLinks />}
    </div>
  );
}

export const RequestIdContext = createContext<string | undefined>(undefined);

function Reference() {
  const { t } = useTranslation();
  const answered = useContext(RequestIdContext);
  // React in the browser takes it over from the page.
  const shown = typeof document === 'undefined' ? null : document.getElementById('request-id');
  const id = answered ?? shown?.textContent;
  if (!id) return null;
  return (
    <p className="mt-3">
      {t('errors.reference')}{' '}
      <code id="request-id" className="text-sm break-all">
        {id}
      </code>
    </p>
  );
}

function NotFoundLinks() {
  const { t } = useTranslation();
  const menu = usePublicData()?.menus.footer;
  // The desk has no menu, and where the layout failed there is none.
  if (!menu) return null;
  return (
    <Part as="nav" id="ways" title={t('errors.waysOn')} className="mt-10">
      <Jumps
        columns={2}
        className="mt-4"
        jumps={NOT_FOUND_LINKS.map(([href, icon]) => ({
          href,
          icon,
          title: menu.find((link) => link.href === href)?.label ?? '',
        }))}
      />
    </Part>
  );
}
