import { Outlet } from '@remix-run/react';

import { applicationInHand } from '~/applications/access.server';
import { live } from '~/live.server';

export { ClosedApplication as ErrorBoundary } from '~/ui/closed-application';

export const loader = live(async ({ request, params }) => ({
  application: await applicationInHand(request, params['id']),
}));

export default function ApplicationLayout() {
  return <Outlet />;
}
