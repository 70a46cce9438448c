import { randomUUID } from 'node:crypto';

import { runWithRequestId } from '~/http/request-id.server';
import { logRequest } from '~/log.server';
import type { Step } from './exchange';
import { recordRequest } from '../operations/metrics';
import type { RouteTree } from './route-tree';

/**
 * Gives every request an id, and logs one line: route, status, duration, and why it was refused.
 * URL and query are left out, since they can contain personal data.
 */
export function requestLog(routes: RouteTree): Step {
  return async (c, next) => {
    const start = performance.now();
    const { incoming, outgoing, target } = c.env;
    const { path } = target;
    const id = randomUUID();
    c.set('requestId', id);
    outgoing.once('close', () => {
      const { statusCode: status } = outgoing;
      const refusal = c.get('refusal');
      const route = routes.patternOf(path);
      const ms = performance.now() - start;
      recordRequest(route, status, ms / 1000);
      logRequest(status < 500 ? 'info' : 'error', {
        id,
        method: incoming.method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        ...(refusal && { refusal }),
        ...(!outgoing.writableFinished && { aborted: true }),
      });
    });
    await runWithRequestId(id, next);
  };
}
