import { randomUUID } from 'node:crypto';

import type { ServerBuild } from '@remix-run/node';
import type { RequestHandler } from 'express';
import { matchRoutes } from 'react-router-dom';

import { log } from '~/log.server';
import { isDecodable } from './request-guard';

/**
 * Logs one line a request: which route, how it ended, how long it took. Neither the address nor
 * its query is in it, since either can hold what is a visitor's own business.
 */
export function requestLog(routes: ServerBuild['routes']): RequestHandler {
  const tree = routeTree(routes);
  return (request, response, next) => {
    const start = performance.now();
    const { method, path } = request;
    response.on('close', () => {
      log('info', 'request', {
        id: randomUUID(),
        method,
        route: routePattern(tree, path),
        status: response.statusCode,
        ms: Math.round((performance.now() - start) * 10) / 10,
        ...(!response.writableFinished && { aborted: true }),
      });
    });
    next();
  };
}

type RouteTree = Parameters<typeof matchRoutes>[0];

function routeTree(routes: ServerBuild['routes'], parentId?: string): RouteTree {
  return Object.values(routes)
    .filter((route) => route?.parentId === parentId)
    .map((route) => {
      const { id, path, index } = route;
      if (index) return { id, index: true as const };
      return { id, ...(path !== undefined && { path }), children: routeTree(routes, id) };
    });
}

/** The pattern that serves a path: `/eligibility/:sessionId`. */
function routePattern(tree: RouteTree, path: string): string {
  // An address that cannot be decoded matches nothing, and the matcher would print it.
  if (!isDecodable(path)) return '?';
  const matches = matchRoutes(tree, path) ?? [];
  return `/${matches.flatMap(({ route }) => route.path || []).join('/')}`;
}
