import { index, route, type RouteConfig } from '@remix-run/route-config';

import { routeId, SITE_MAP } from './site-map';

/** One route per row of the site map. */
export default SITE_MAP.map(({ path, module }) => {
  const file = `routes/${module}`;
  const options = { id: routeId(path) };
  return path === '/' ? index(file, options) : route(path.slice(1), file, options);
}) satisfies RouteConfig;
