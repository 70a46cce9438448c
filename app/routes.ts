import { index, layout, route, type RouteConfig } from '@remix-run/route-config';

import { type Address, addressesIn, type Layout, layoutOf, routeId, SITE_MAP } from './site-map';

/**
 * One route per row of the site map, in the layout of what its pages share. In the build are both modes'
 * rows, of which a server has those of its mode (`mode-routes.server.ts`). The development server gets one
 * mode's, for the browser too.
 */
const rows =
  process.env['NODE_ENV'] === 'development'
    ? addressesIn(process.env['OFFLINE_MODE'] === 'false' ? 'live' : 'offline')
    : SITE_MAP;

const routesIn = (wanted: Layout | undefined) =>
  rows.filter((row) => layoutOf(row) === wanted).map(routeOf);

function routeOf(row: Address) {
  const file = `routes/${row.module}`;
  const options = { id: routeId(row) };
  return row.path === '/' ? index(file, options) : route(row.path.slice(1), file, options);
}

export default [
  layout('routes/public/layout.tsx', { id: 'public' }, [
    ...routesIn('public'),
    layout('routes/application/layout.tsx', { id: 'live/application' }, routesIn('application')),
  ]),
  layout('routes/staff/layout.tsx', { id: 'live/staff' }, routesIn('staff')),
  ...routesIn(undefined),
] satisfies RouteConfig;
