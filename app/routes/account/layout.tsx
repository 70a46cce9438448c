import { Outlet, useRouteError } from '@remix-run/react';

import { ErrorPage } from '~/ui/error-page';

/** The pages of an account, in one column. */
export default function AccountLayout() {
  return (
    <div className="wrap py-8 sm:py-12">
      <Outlet />
    </div>
  );
}

/** A session that has ended, or a right that is missing, said in place of the page. */
export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}
