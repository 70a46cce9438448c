import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { getRequestListener } from '@hono/node-server';
import type { ServerBuild } from '@remix-run/node';
import { LRUCache } from 'lru-cache';

import { inRequest, perApp } from '~/current-app.server';
import { errorFields, log, logRequest } from '~/log.server';
import { siteMode } from '~/mode.server';
import { canonicalPath } from '~/site-map';
import { recordRequest } from '../operations/metrics';
import { BuiltFiles, serveLogo } from './built-files';
import type { IsTrustedProxy } from './client-address';
import { type Answer, type Exchange, isReading, type Step, targetOf } from './exchange';
import { PageMemory } from './page-memory';
import { LateBody, pageHandler, renderPage } from './page-rendering';
import { withProtectingHeaders } from './protecting-headers';
import { limitRequests, RateLimits } from './rate-limits';
import { plainResponse, refusal, requestGuard } from './request-guard';
import { RouteTree } from './route-tree';

export function createSite(options: {
  build: ServerBuild;
  clientFolder: string;
  isTrustedProxy: IsTrustedProxy;
  isDraining: () => boolean;
}) {
  const { build, clientFolder, isTrustedProxy, isDraining } = options;
  const routes = new RouteTree(build.routes);
  const limits = new RateLimits(isTrustedProxy);
  const files = new BuiltFiles(clientFolder);
  const render = pageHandler(build, routes);

  const steps = [
    limitRequests(limits, files, routes),
    requestGuard,
    files.serve,
    serveLogo,
    canonicalAddress,
    new PageMemory(routes, render).serve,
  ];
  const page = renderPage(render, { isTrustedProxy, isDraining, limits });
  const answer = logged(routes, withProtectingHeaders(isDraining, firstAnswer(steps, page)));

  const current = new AsyncLocalStorage<Exchange>();
  const respond = () => answer(current.getStore() as Exchange);
  // Of an address or host that the library cannot read the steps know what to say, too. A body that was
  // not read is thrown away by Node: the library hangs up after half a second, on browsers that still send.
  const listener = getRequestListener(respond, {
    errorHandler: respond,
    autoCleanupIncoming: false,
  });
  const exchangeOf = (incoming: IncomingMessage, outgoing: ServerResponse): Exchange => ({
    incoming,
    outgoing,
    target: targetOf(incoming),
    requestId: randomUUID(),
  });
  return {
    limits,
    listener: ((incoming, outgoing) =>
      void current.run(exchangeOf(incoming, outgoing), () =>
        listener(incoming, outgoing),
      )) satisfies RequestListener,
    /** What the listener sends, for who has no connection. */
    answer: async (incoming: IncomingMessage, outgoing: ServerResponse) =>
      answer(exchangeOf(incoming, outgoing)),
  };
}

function firstAnswer(steps: Step[], last: Answer): Answer {
  const firstOf = (exchange: Exchange) => {
    for (const step of steps) {
      const response = step(exchange);
      if (response) return response;
    }
    return last(exchange);
  };
  return (exchange) => {
    const failed = (error: unknown) => failureResponse(error, exchange);
    try {
      const response = firstOf(exchange);
      return response instanceof Promise ? response.catch(failed) : response;
    } catch (error) {
      return failed(error);
    }
  };
}

function failureResponse(error: unknown, exchange: Exchange): Response {
  if (error instanceof LateBody) {
    exchange.refusal = 'late body';
    return refusal(exchange, 408, { Connection: 'close' });
  }
  if (exchange.incoming.errored) return plainResponse(400);
  log('error', 'request failed', errorFields(error));
  return refusal(exchange, 500);
}

/** Matching takes longer than serving a page from memory. */
const canonicalPaths = perApp(
  () =>
    new LRUCache<string, string>({
      max: 2000,
      memoMethod: (path) => canonicalPath(path, siteMode()),
    }),
);

/** Redirects other spellings of an address (`/terms/`, `/TERMS`) to the one of the site map. */
const canonicalAddress: Step = ({ incoming, target }) => {
  if (!isReading(incoming)) return undefined;
  const canonical = canonicalPaths().memo(target.path);
  if (canonical === target.path) return undefined;
  return new Response(null, { status: 308, headers: { Location: canonical + target.search } });
};

/** URL and query are left out, since they can contain personal data. */
function logged(routes: RouteTree, answer: Answer): Answer {
  return (exchange) => {
    const start = performance.now();
    const { incoming, outgoing, requestId: id } = exchange;
    // Before a step puts another in its place.
    const { path } = exchange.target;
    outgoing.once('close', () => {
      const { statusCode: status, writableFinished } = outgoing;
      const { refusal } = exchange;
      const [route, taken] = [routes.patternOf(path), performance.now() - start];
      recordRequest(route, status, taken / 1000);
      const fields = { id, method: incoming.method ?? '', route, status };
      // What is refused as it should be is no failure, whatever its status.
      logRequest(
        status < 500 || refusal ? 'info' : 'error',
        { ...fields, ms: Math.round(taken * 10) / 10 },
        { refusal, aborted: !writableFinished },
      );
    });
    const refuse = (reason: string) => void (exchange.refusal ??= reason);
    return inRequest({ id, refuse }, () => answer(exchange));
  };
}
