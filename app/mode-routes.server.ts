import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  type ServerBuild,
} from '@remix-run/node';

import { currentApp } from '~/current-app.server';
import { ConfigurationError } from '~/env.server';
import { languageOf, translator } from '~/i18n/server.server';
import { siteMode } from '~/mode.server';
import { addressesIn, type Mode, routeId } from '~/site-map';

type Route = NonNullable<ServerBuild['routes'][string]>;
type Handler = (args: LoaderFunctionArgs & ActionFunctionArgs) => unknown;

/**
 * The routes of this app's mode: those of the other mode do not exist, whichever server runs the build
 * (`app.server.ts`, vite.config.ts). The live half answers 503 under any server but our own.
 *
 * @param isLocalDevelopment whether the development server runs it, on the loopback address
 */
export function ofMode(build: ServerBuild, isLocalDevelopment = false) {
  const mode = modeAtStart();
  const rows = addressesIn(mode);
  const layouts = mode === 'live' ? ['public', 'live/application', 'live/staff'] : ['public'];
  const ids = new Set(['root', ...layouts, ...rows.map(routeId)]);
  const pick = <T>(entries: Record<string, T>) =>
    Object.fromEntries(Object.entries(entries).filter(([id]) => ids.has(id)));
  const routes = pick(build.routes);
  const context = isLocalDevelopment ? { app: currentApp(), isNear: true } : {};
  for (const row of mode === 'live' ? rows : []) {
    const id = routeId(row);
    const route = routes[id];
    const isLive = row.mode === 'live';
    // Both modes have the contact page, but only this one keeps its messages.
    if (route && (isLive || id === 'contact')) routes[id] = guarded(route, isLive, context);
  }
  return { routes, assets: { ...build.assets, routes: pick(build.assets.routes) } };
}

/** The mode; a wrong environment is reported later, by the server's start or the first request. */
function modeAtStart(): Mode {
  try {
    return siteMode();
  } catch (error) {
    if (error instanceof ConfigurationError) return 'offline';
    throw error;
  }
}

/**
 * A route that refuses requests without our server's context: without it there are no rate limits, and
 * nobody knows where a client is.
 *
 * @param isRead whether its loader refuses them, too
 * @param known the context of a development server
 */
function guarded(route: Route, isRead: boolean, known: AppLoadContext): Route {
  const { loader, action } = route.module;
  const guard = (handler: Handler): Handler => {
    return async (args) => {
      // The same object: what an action shows is known by it (`showStep`).
      const context = Object.assign(args.context, known);
      if (!context.app) throw await refusal(args.request, !route.module.default);
      return handler({ ...args, context });
    };
  };
  return {
    ...route,
    module: {
      ...route.module,
      ...(loader && isRead && { loader: guard(loader) }),
      ...(action && { action: guard(action) }),
    },
  } as Route;
}

/** 503: as data for the error page, or as a sentence where there is no page. */
async function refusal(request: Request, isEndpoint: boolean): Promise<Response> {
  if (!isEndpoint) return json({ server: 'other' }, { status: 503 });
  const t = translator(await languageOf(request));
  return new Response(`${t('errors.otherServer.text')}\n`, {
    status: 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}
