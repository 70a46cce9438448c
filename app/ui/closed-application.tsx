import { isRouteErrorResponse, useLocation, useRouteError } from '@remix-run/react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';

import { TypedAgainContext } from '~/http/typed-again';
import { ErrorPage, isClosedApplication } from './error-page';
import { StillHere } from './typed-again';
import { Jumps, Part } from './elements';

export function ClosedApplication() {
  const error = useRouteError();
  const { t } = useTranslation('application');
  const { pathname } = useLocation();
  const typed = useContext(TypedAgainContext);
  if (!isRouteErrorResponse(error) || !isClosedApplication(error)) {
    return <ErrorPage error={error} />;
  }
  const ways = [
    ['link', '/application/status', 'mail'],
    ['signIn', `/auth?${new URLSearchParams({ returnTo: pathname })}`, 'circle-user'],
    ['begin', '/application/new', 'file-text'],
  ] as const;
  return (
    <div className="wrap py-8 sm:py-12">
      <h1 className="text-h1">{t('closed.title')}</h1>
      <p className="lead mt-3">{t('closed.text')}</p>
      <ul className="mt-4 grid max-w-[44rem] list-disc gap-1 pl-5">
        <li>{t('closed.idle')}</li>
        <li>{t('closed.browser')}</li>
        <li>{t('closed.account')}</li>
      </ul>
      <p className="mt-4 max-w-[44rem]">{t('closed.saved')}</p>
      {typed && <StillHere typed={typed} how={t('typed-again:closedText')} />}
      <Part as="nav" id="ways" title={t('closed.options')} size="text-2xl" className="mt-8">
        <Jumps
          columns={2}
          className="mt-4"
          isNewTab={typed !== undefined}
          jumps={ways.map(([name, href, icon]) => ({
            href,
            icon,
            title: t(`closed.${name}`),
            text: t(`closed.${name}Text`),
          }))}
        />
      </Part>
    </div>
  );
}
