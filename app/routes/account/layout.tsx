import { Outlet, useRouteError } from '@remix-run/react';

import { ErrorPage } from '~/ui/error-page';

export default function AccountLayout() {
  return (
    <div className="wrap py-8 sm:py-12">
      <Outlet />
    </div>
  );
}

export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}
