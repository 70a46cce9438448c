import { inRequest } from '~/current-app.server';
import { logRequest } from '~/log.server';
import type { Answer } from './exchange';
import { recordRequest } from '../operations/metrics';
import type { RouteTree } from './route-tree';

/**
 * Logs one line per request: route, status, duration, and why it was refused. URL and query are left
 * out, since they can contain personal data. What is logged meanwhile has the request's id as well.
 */
export function logged(routes: RouteTree, answer: Answer): Answer {
  return (exchange) => {
    const start = performance.now();
    const { incoming, outgoing, requestId: id } = exchange;
    // Before a step puts another in its place.
    const { path } = exchange.target;
    outgoing.once('close', () => {
      const { statusCode: status } = outgoing;
      const { refusal } = exchange;
      const route = routes.patternOf(path);
      const ms = performance.now() - start;
      recordRequest(route, status, ms / 1000);
      // What is refused as it should be is no failure, whatever its status.
      logRequest(status < 500 || refusal ? 'info' : 'error', {
        id,
        method: incoming.method ?? '',
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        refusal,
        aborted: !outgoing.writableFinished,
      });
    });
    const refuse = (reason: string) => void (exchange.refusal ??= reason);
    return inRequest({ id, refuse }, () => answer(exchange));
  };
}
