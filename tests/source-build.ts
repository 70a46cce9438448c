/** The site's build, made of its sources: what `virtual:remix/server-build` is to the server. */
import { readdirSync, readFileSync } from 'node:fs';

import type { ServerBuild } from '@remix-run/node';
import type { RouteConfigEntry } from '@remix-run/route-config';

import * as entry from '~/entry.server';
import * as root from '~/root';
import routeConfig from '~/routes';
import remixConfig from '../remix.config.js';

type Routes = ServerBuild['routes'];
type Module = NonNullable<Routes[string]>['module'];

const MODULES = import.meta.glob<Module>('../app/routes/**/*.{ts,tsx}');
export const CLIENT_FOLDER = 'build/client';

async function routesOf(entries: RouteConfigEntry[], parentId: string): Promise<Routes> {
  const rows = entries.map(async ({ id = '', path, index, file, children = [] }) => {
    const module = await MODULES[`../app/${file}`]?.();
    if (!module) throw new Error(`${file} is no route.`);
    return { [id]: { id, parentId, path, index, module }, ...(await routesOf(children, id)) };
  });
  return Object.assign({}, ...(await Promise.all(rows))) as Routes;
}

/** What browsers load, as it was built; the live half's routes are left out there. */
function manifest(routes: Routes): ServerBuild['assets'] {
  const folder = `${CLIENT_FOLDER}/assets`;
  const file = readdirSync(folder).find((name) => /^manifest-.*\.js$/.test(name)) ?? '';
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  const built = JSON.parse(text.slice(text.indexOf('{'), -1)) as ServerBuild['assets'];
  const rows = Object.values(routes as Record<string, NonNullable<Routes[string]>>).map((route) => [
    route.id,
    {
      ...{ id: route.id, path: route.path, index: route.index },
      hasAction: 'action' in route.module,
      hasLoader: 'loader' in route.module,
      ...{ hasClientAction: false, hasClientLoader: false, hasErrorBoundary: false },
      ...{ module: '', imports: [], css: [] },
      ...built.routes[route.id],
      // The build may be older than the routes.
      parentId: route.parentId,
    },
  ]);
  return { ...built, routes: Object.fromEntries(rows) as ServerBuild['assets']['routes'] };
}

/** Loads it all; it stays the same for all tests of a worker. */
export async function sourceBuild(): Promise<ServerBuild> {
  const routes = {
    root: { id: 'root', path: '', module: root },
    ...(await routesOf(routeConfig, 'root')),
  } as Routes;
  return {
    entry: { module: entry },
    routes,
    assets: manifest(routes),
    assetsBuildDirectory: CLIENT_FOLDER,
    publicPath: '/',
    basename: '/',
    mode: 'production',
    isSpaMode: false,
    future: { ...remixConfig.future } as ServerBuild['future'],
  };
}
