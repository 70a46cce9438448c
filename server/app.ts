import { type RequestListener, STATUS_CODES } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ServerBuild } from '@remix-run/node';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import staticGzip from 'express-static-gzip';

import { env } from '~/env.server';
import { errorFields, log } from '~/log.server';
import { LOGO_PATH } from '~/settings/logo.server';
import { canonicalAddress } from './canonical-address';
import { clientAddress, type IsTrustedProxy } from './client-address';
import { serveLogo } from './logo';
import { PageCache } from './page-memory';
import { pageHandler, remixMiddleware } from './page-handlers';
import { RateLimits } from './rate-limits';
import { requestGuard } from './request-guard';
import { requestLog } from './request-log';
import { RouteTree } from './route-tree';
import { allowScripts, securityHeaders } from './security-headers';

/**
 * Creates the request listener of the site: the page cache, then an Express app with logging,
 * security headers, guard, static files and pages.
 */
export function createSite(
  build: ServerBuild,
  clientFolder: string,
  isTrustedProxy: IsTrustedProxy,
  isDraining: () => boolean,
): RequestListener {
  const routes = new RouteTree(build.routes);
  const limits = new RateLimits((request) => clientAddress(request, isTrustedProxy));
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('trust proxy', env().trustProxy);
  const pages = pageHandler(build, routes);
  const pageCache = new PageCache(
    routes,
    pages,
    (request) => limits.consume('page', request) === 0,
  );

  app.use(requestLog(routes));
  app.use(securityHeaders);
  app.use((_request, response, next) => {
    if (isDraining()) response.set('Connection', 'close');
    next();
  });
  app.use(requestGuard);

  // Names of built files contain a content hash; other files may change with the next version.
  app.use(
    '/assets',
    staticFiles(join(clientFolder, 'assets'), { immutable: true, maxAge: '1y' }),
    (_request, response) => response.status(404).type('text').send('Not found\n'),
  );
  app.get(LOGO_PATH, serveLogo);
  app.use(staticFiles(clientFolder, { maxAge: '1h' }));

  app.use(limits.limitPages, limits.limitForms, canonicalAddress);
  app.use((request, response, next) => {
    if (isDraining()) next();
    else pageCache.fill(request, response, next);
  });
  app.all(
    '*',
    remixMiddleware(pages, (request, response) => ({
      nonce: response.locals['nonce'] as string,
      allowScripts: (sources) => allowScripts(response, sources),
      consumeRateLimit: (limit) =>
        limit === 'post'
          ? (response.locals['postRetryAfter'] as number)
          : limits.consume(limit, request),
      draining: isDraining(),
    })),
  );
  app.use(unexpectedError);
  return (request, response) => {
    if (isDraining() || !pageCache.serve(request, response)) app(request, response);
  };
}

/** Serves the files of the client build, each with its precompressed variants. */
function staticFiles(
  folder: string,
  options: { immutable?: boolean; maxAge: string },
): RequestHandler {
  const serveFile = staticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: { ...options, index: false, redirect: false },
  });
  // Listed once, to avoid file system access for each page.
  const files = new Set(readdirSync(folder, { recursive: true }).map((file) => `/${String(file)}`));
  return (request, response, next) => {
    if (files.has(request.path)) void serveFile(request, response, next);
    else next();
  };
}

/**
 * Responds to errors outside of pages: a URL that cannot be decoded, an exception in a middleware.
 */
const unexpectedError: ErrorRequestHandler = (
  error: Error & { status?: number },
  _request,
  response,
  next,
) => {
  const status = error.status ?? 500;
  if (status >= 500) log('error', 'request failed', errorFields(error));
  if (response.headersSent) next(error);
  else response.status(status).type('text').send(`${STATUS_CODES[status]}\n`);
};
