import { randomUUID } from 'node:crypto';

import type { RequestHandler } from 'express';

import { logRequest } from '~/log.server';
import type { RouteTree } from './route-tree';

/**
 * Logs one line per request: route, status, duration. URL and query are left out, since they can
 * contain personal data.
 */
export function requestLog(routes: RouteTree): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    const { method, path } = request;
    response.on('close', () => {
      logRequest({
        id: randomUUID(),
        method,
        route: routes.patternOf(path),
        status: response.statusCode,
        ms: Math.round((performance.now() - start) * 10) / 10,
        ...(!response.writableFinished && { aborted: true }),
      });
    });
    next();
  };
}
