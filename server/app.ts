import { type RequestListener, STATUS_CODES } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ServerBuild } from '@remix-run/node';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import staticGzip from 'express-static-gzip';
import proxyAddress from 'proxy-addr';

import { env } from '~/env.server';
import { errorFields, log } from '~/log.server';
import { PageMemory } from './page-memory';
import { pageHandler, remixRequests } from './page-handlers';
import { RateLimits } from './rate-limits';
import { requestGuard } from './request-guard';
import { requestLog } from './request-log';
import { RouteTree } from './route-tree';
import { allowScripts, securityHeaders } from './security-headers';

/** The whole site: pages from memory, else an Express app with headers, log, files and pages. */
export function createSite(
  build: ServerBuild,
  clientFolder: string,
  isStopping: () => boolean,
): RequestListener {
  const routes = new RouteTree(build.routes);
  const limits = new RateLimits();
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('trust proxy', env().trustProxy);
  const trust = app.get('trust proxy fn') as Parameters<typeof proxyAddress>[1];
  const pages = pageHandler(build, routes);
  const memory = new PageMemory(
    routes,
    pages,
    (request) => limits.waitFor('page', { ip: proxyAddress(request, trust) }) === 0,
  );

  app.use(requestLog(routes));
  app.use(securityHeaders);
  app.use((_request, response, next) => {
    if (isStopping()) response.set('Connection', 'close');
    next();
  });
  app.use(requestGuard);

  // Names of built files hold a hash of their content; the others may change with the next version.
  app.use(
    '/assets',
    builtFiles(join(clientFolder, 'assets'), { immutable: true, maxAge: '1y' }),
    (_request, response) => response.status(404).type('text').send('Not found\n'),
  );
  app.use(builtFiles(clientFolder, { maxAge: '1h' }));

  app.use(limits.pages, limits.forms);
  app.use((request, response, next) => {
    if (isStopping()) next();
    else memory.fill(request, response, next);
  });
  app.all(
    '*',
    remixRequests(pages, (request, response) => ({
      nonce: response.locals['nonce'] as string,
      allowScripts: (sources) => allowScripts(response, sources),
      waitFor: (limited) =>
        limited === 'post'
          ? (response.locals['postWait'] as number)
          : limits.waitFor(limited, request),
      stopping: isStopping(),
    })),
  );
  app.use(unexpectedError);
  return (request, response) => {
    if (isStopping() || !memory.answer(request, response)) app(request, response);
  };
}

/** The files of the client build, each beside its compressed forms. */
function builtFiles(
  folder: string,
  options: { immutable?: boolean; maxAge: string },
): RequestHandler {
  const serve = staticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: { ...options, index: false, redirect: false },
  });
  // Without a look at the disk for each page.
  const files = new Set(readdirSync(folder, { recursive: true }).map((file) => `/${String(file)}`));
  return (request, response, next) => {
    if (files.has(request.path)) void serve(request, response, next);
    else next();
  };
}

/** What no page can be made of: an address that cannot be decoded, a fault in a middleware. */
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
