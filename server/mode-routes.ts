import type { ServerBuild } from '@remix-run/node';

import { addressesIn, type Mode, routeId } from '~/site-map';

/** The build with the routes of one mode: the other one's do not exist. */
export function ofMode(build: ServerBuild, mode: Mode): ServerBuild {
  const ids = new Set(['root', ...addressesIn(mode).map(routeId)]);
  const pick = <T>(entries: Record<string, T>) =>
    Object.fromEntries(Object.entries(entries).filter(([id]) => ids.has(id)));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}
