import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useRouteError, useRouteLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';

import { userOf } from '~/accounts/session.server';
import { publicData } from '~/content/site.server';
import { staffView } from '~/desk/staff-view.server';
import { isOffline } from '~/mode.server';
import { Closed, useClosed } from '~/ui/closed';
import { ErrorPage } from '~/ui/error-page';
import { Frame } from '~/ui/frame';
import { PublicFrame } from '~/ui/public-frame';
import { StaffHeader } from '~/ui/staff-header';

/** Who of the staff is signed in, and the pages of the role; in offline mode there is no desk. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (isOffline()) return { offline: await publicData(request) };
  return { staff: staffView(await userOf(request)) };
}

function StaffFrame({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('live/staff');
  if (data && 'offline' in data) return <PublicFrame>{children}</PublicFrame>;
  return <Frame header={<StaffHeader staff={data?.staff ?? null} />}>{children}</Frame>;
}

export default function StaffLayout() {
  const closed = useClosed();
  return <StaffFrame>{closed ? <Closed {...closed} /> : <Outlet />}</StaffFrame>;
}

export function ErrorBoundary() {
  const data = useRouteLoaderData<typeof loader>('live/staff');
  const isStaff = data && 'staff' in data && data.staff !== null;
  return (
    <StaffFrame>
      <ErrorPage error={useRouteError()} home={isStaff ? '/crm/dashboard' : '/'} />
    </StaffFrame>
  );
}
