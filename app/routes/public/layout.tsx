import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useRouteError } from '@remix-run/react';

import { publicData } from '~/root-data.server';
import { Closed, useClosed } from '~/ui/closed';
import { ErrorPage } from '~/ui/error-page';
import { FocusFrame } from '~/ui/focus-frame';
import { PublicFrame } from '~/ui/public-frame';
import { usePageMeta } from '~/ui/root-data';

export const loader = ({ request }: LoaderFunctionArgs) => publicData(request);

/** They stay as they are while React changes the page; another language loads the document anew. */
export const shouldRevalidate = () => false;

export default function PublicLayout() {
  const closed = useClosed();
  const focus = usePageMeta()?.focus;
  // None of these pages loads React: they stay out of what a browser loads.
  if (import.meta.env.SSR && focus) {
    return (
      <FocusFrame focus={focus}>
        <Outlet />
      </FocusFrame>
    );
  }
  return (
    <PublicFrame>{import.meta.env.SSR && closed ? <Closed {...closed} /> : <Outlet />}</PublicFrame>
  );
}

export function ErrorBoundary() {
  return (
    <PublicFrame>
      <ErrorPage error={useRouteError()} />
    </PublicFrame>
  );
}
