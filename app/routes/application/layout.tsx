import { Outlet } from '@remix-run/react';

export { ClosedApplication as ErrorBoundary } from '~/ui/closed-application';

/** An application that cannot be opened says so in place of each of its pages. */
export default function ApplicationLayout() {
  return <Outlet />;
}
