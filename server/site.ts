import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';

import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import type { ServerBuild } from '@remix-run/node';
import { Hono } from 'hono';

import { errorFields, log } from '~/log.server';
import { BuiltFiles } from './built-files';
import { canonicalAddress } from './canonical-address';
import type { IsTrustedProxy } from './client-address';
import { type Steps, targetOf } from './exchange';
import { serveLogo } from './logo';
import { PageMemory } from './page-memory';
import { LateBody, pageHandler, renderPage } from './page-rendering';
import { protectingHeaders, buildSecurityHeaders } from './protecting-headers';
import { RateLimits } from './rate-limits';
import { plainResponse, requestGuard } from './request-guard';
import { limitRequests } from './request-limits';
import { requestLog } from './request-log';
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

  const steps: Steps = new Hono();
  steps.use(requestLog(routes));
  steps.use(protectingHeaders(isDraining));
  steps.use(limitRequests(limits, files, routes));
  steps.use(requestGuard);
  steps.use(files.serve);
  steps.use(serveLogo);
  steps.use(canonicalAddress);
  steps.use(new PageMemory(routes, render).serve);
  steps.all('*', renderPage(render, { isTrustedProxy, isDraining, limits }));
  steps.onError((error, { env }) => {
    if (error instanceof LateBody) return plainResponse(408, { Connection: 'close' });
    // The client has gone: nobody waits for an answer.
    if (env.incoming.errored) return plainResponse(400);
    log('error', 'request failed', errorFields(error));
    return plainResponse(500);
  });

  const respond = (request: Request, bindings: HttpBindings | Http2Bindings) => {
    // The server speaks HTTP/1; the library allows for both.
    const incoming = bindings.incoming as IncomingMessage;
    const outgoing = bindings.outgoing as ServerResponse;
    return steps.fetch(request, { incoming, outgoing, target: targetOf(incoming) });
  };
  return getRequestListener(respond, { errorHandler: refuseUnreadable });
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
