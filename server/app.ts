import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';

import { createRequestHandler } from '@remix-run/express';
import type { ServerBuild } from '@remix-run/node';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Express } from 'express';

import { env } from '~/env.server';
import { errorFields, log } from '~/log.server';
import { RateLimits } from './rate-limits';
import { requestGuard } from './request-guard';
import { requestLog } from './request-log';
import { securityHeaders } from './security-headers';

/** The whole site as an Express app: headers, log, compression, static files, pages. */
export function createApp(
  build: ServerBuild,
  clientFolder: string,
  isStopping: () => boolean,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', env().trustProxy);
  app.use(requestLog(build.routes));
  app.use(securityHeaders);
  app.use((_request, response, next) => {
    if (isStopping()) response.set('Connection', 'close');
    next();
  });
  app.use(requestGuard);
  app.use(compression());

  // Names of built files hold a hash of their content; the others may change with the next version.
  app.use(
    '/assets',
    express.static(join(clientFolder, 'assets'), { immutable: true, maxAge: '1y' }),
    (_request, response) => response.status(404).type('text').send('Not found\n'),
  );
  app.use(express.static(clientFolder, { maxAge: '1h', index: false, redirect: false }));

  const limits = new RateLimits();
  app.use(limits.pages, limits.forms);
  app.all(
    '*',
    createRequestHandler({
      build,
      getLoadContext: (request, response) => ({
        nonce: response.locals['nonce'] as string,
        waitFor: (limited) =>
          limited === 'post'
            ? (response.locals['postWait'] as number)
            : limits.waitFor(limited, request),
        stopping: isStopping(),
      }),
    }),
  );
  app.use(unexpectedError);
  return app;
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
