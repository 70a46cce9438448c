import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useRouteError, useRouteLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';

import { userOf } from '~/accounts/session.server';
import { staffView } from '~/content/staff.server';
import { ErrorPage } from '~/ui/error-page';
import { Frame } from '~/ui/frame';
import { StaffHeader } from '~/ui/staff-header';

/** Who of the staff is signed in, and the pages of the role. */
export const loader = async ({ request }: LoaderFunctionArgs) => staffView(await userOf(request));

function StaffFrame({ children }: { children: ReactNode }) {
  const staff = useRouteLoaderData<typeof loader>('live/staff');
  return <Frame header={<StaffHeader staff={staff ?? null} />}>{children}</Frame>;
}

export default function StaffLayout() {
  return (
    <StaffFrame>
      <Outlet />
    </StaffFrame>
  );
}

export function ErrorBoundary() {
  return (
    <StaffFrame>
      <ErrorPage error={useRouteError()} home="/crm/dashboard" />
    </StaffFrame>
  );
}
