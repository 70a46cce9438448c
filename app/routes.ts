import { index, route, type RouteConfig } from '@remix-run/route-config';

import { addressesIn, routeId, SITE_MAP } from './site-map';

/**
 * One route per row of the site map. In the build are both modes' rows, of which the server takes
 * those of its mode (`server/mode-routes.ts`). The development server is Remix's own and gets one mode's.
 */
const rows =
  process.env['NODE_ENV'] === 'development'
    ? addressesIn(process.env['OFFLINE_MODE'] === 'false' ? 'live' : 'offline')
    : SITE_MAP;

export default rows.map((row) => {
  const file = `routes/${row.module}`;
  const options = { id: routeId(row) };
  return row.path === '/' ? index(file, options) : route(row.path.slice(1), file, options);
}) satisfies RouteConfig;
