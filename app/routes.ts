import { index, route, type RouteConfig } from '@remix-run/route-config';

import { addressesIn, routeId, SITE_MAP } from './site-map';

/**
 * One route per row of the site map. In the build are both modes' rows, of which a server has those
 * of its mode (`mode-routes.server.ts`). The development server gets one mode's, for the browser too.
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
