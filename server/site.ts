import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { getRequestListener } from '@hono/node-server';
import type { ServerBuild } from '@remix-run/node';

import { errorFields, log } from '~/log.server';
import { BuiltFiles } from './built-files';
import { canonicalAddress } from './canonical-address';
import type { IsTrustedProxy } from './client-address';
import { type Answer, type Exchange, type Step, targetOf } from './exchange';
import { withoutConnection } from './in-process';
import { serveLogo } from './logo';
import { PageMemory } from './page-memory';
import { LateBody, pageHandler, renderPage } from './page-rendering';
import { withProtectingHeaders } from './protecting-headers';
import { RateLimits } from './rate-limits';
import { plainResponse, refusal, requestGuard } from './request-guard';
import { limitRequests } from './request-limits';
import { logged } from './request-log';
import { RouteTree } from './route-tree';

interface SiteOptions {
  build: ServerBuild;
  clientFolder: string;
  isTrustedProxy: IsTrustedProxy;
  isDraining: () => boolean;
}

interface Site {
  listener: RequestListener;
  fetch: (request: Request) => Promise<Response>;
}

/** The site: its steps, in the order in which a request meets them. */
export function createSite(options: SiteOptions): Site {
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
    listener: (incoming, outgoing) =>
      void current.run(exchangeOf(incoming, outgoing), () => listener(incoming, outgoing)),
    async fetch(request) {
      const { incoming, outgoing, end } = await withoutConnection(request);
      const response = await answer(exchangeOf(incoming, outgoing));
      end(response.status);
      return response;
    },
  };
}

/** The answer of the first step that has one, else the last one's; an error of any is a response. */
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
  // The client has gone: nobody waits for an answer.
  if (exchange.incoming.errored) return plainResponse(400);
  log('error', 'request failed', errorFields(error));
  return refusal(exchange, 500);
}
