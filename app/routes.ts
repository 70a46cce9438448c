import { index, layout, route, type RouteConfig } from '@remix-run/route-config';

import { type Address, type LayoutName, layoutOf, routeId, SITE_MAP } from './site-map';

const routesIn = (wanted: LayoutName | undefined) =>
  SITE_MAP.filter((row) => layoutOf(row) === wanted).map(routeOf);

function routeOf(row: Address) {
  const file = `routes/${row.module}`;
  const options = { id: routeId(row) };
  return row.path === '/' ? index(file, options) : route(row.path.slice(1), file, options);
}

export default [
  layout('routes/public/layout.tsx', { id: 'public' }, [
    ...routesIn('public'),
    layout('routes/account/layout.tsx', { id: 'live/account' }, routesIn('account')),
    layout('routes/application/layout.tsx', { id: 'live/application' }, routesIn('application')),
  ]),
  layout('routes/staff/layout.tsx', { id: 'live/staff' }, [
    ...routesIn('staff'),
    layout('routes/staff/case/layout.tsx', { id: 'live/case' }, routesIn('case')),
  ]),
  ...routesIn(undefined),
] satisfies RouteConfig;
