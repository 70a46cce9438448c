import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';

import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import type { ServerBuild } from '@remix-run/node';

import { errorFields, log } from '~/log.server';
import { BuiltFiles } from './built-files';
import { canonicalAddress } from './canonical-address';
import type { IsTrustedProxy } from './client-address';
import { type Answer, type Exchange, type Step, targetOf } from './exchange';
import { serveLogo } from './logo';
import { PageMemory } from './page-memory';
import { LateBody, pageHandler, renderPage } from './page-rendering';
import { buildSecurityHeaders, withProtectingHeaders } from './protecting-headers';
import { RateLimits } from './rate-limits';
import { plainResponse, requestGuard } from './request-guard';
import { limitRequests } from './request-limits';
import { logged } from './request-log';
import { RouteTree } from './route-tree';

interface SiteOptions {
  build: ServerBuild;
  /** The folder of the client build. */
  clientFolder: string;
  isTrustedProxy: IsTrustedProxy;
  isDraining: () => boolean;
}

/** The request listener of the site: its steps, in the order in which a request meets them. */
export function createSite(options: SiteOptions): RequestListener {
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

  const respond = (_request: Request, bindings: HttpBindings | Http2Bindings) => {
    // The server speaks HTTP/1; the library allows for both.
    const incoming = bindings.incoming as IncomingMessage;
    const outgoing = bindings.outgoing as ServerResponse;
    return answer({ incoming, outgoing, target: targetOf(incoming), requestId: randomUUID() });
  };
  return getRequestListener(respond, { errorHandler: refuseUnreadable });
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

function failureResponse(error: unknown, { incoming }: Exchange): Response {
  if (error instanceof LateBody) return plainResponse(408, { Connection: 'close' });
  // The client has gone: nobody waits for an answer.
  if (incoming.errored) return plainResponse(400);
  log('error', 'request failed', errorFields(error));
  return plainResponse(500);
}

/** The response to what is no address at all, which no step meets. */
function refuseUnreadable(): Response {
  return new Response(`${STATUS_CODES[400]}\n`, {
    status: 400,
    headers: {
      ...buildSecurityHeaders(''),
      'Cache-Control': 'no-store',
      'Content-Type': 'text/plain; charset=utf-8',
      Connection: 'close',
    },
  });
}
