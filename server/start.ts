/** Reads the settings, listens, purges each hour, and stops in order. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as build from 'virtual:remix/server-build';

import { now } from '~/clock.server';
import { closeDatabase, databaseErrorFields } from '~/database.server';
import { ConfigurationError, env } from '~/env.server';
import { log } from '~/log.server';
import { isOffline } from '~/mode.server';
import { siteSettings } from '~/settings/settings.server';
import { createSite } from './app';
import { answerBrokenRequests } from './broken-requests';
import { purge } from './purge';

/** Far more often than daily: it also takes what a reader has kept in the log for a while. */
const PURGE_EVERY_MS = 60 * 60 * 1000;
const SERVER_OPTIONS = {
  // A request without one is answered by the guard, with the protecting headers.
  requireHostHeader: false,
  // A client that is slower than this holds a connection, not a server.
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 5000,
};
/** After SIGTERM new connections are still answered for this long, by /readyz with 503. */
const DRAIN_MS = 1000;
/** Requests that still run after SIGTERM get this long. */
const SHUTDOWN_MS = 5000;

/**
 * Starts the production server.
 *
 * @param clientFolder holds what the build made for the browser
 */
export function start(clientFolder: string): void {
  try {
    listen(clientFolder);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function listen(clientFolder: string): void {
  const { host, port, publicOrigin } = env();
  siteSettings();
  let stopping = false;
  const server = createServer(
    SERVER_OPTIONS,
    createSite(build, clientFolder, () => stopping),
  );
  answerBrokenRequests(server);

  server.on('error', (error) => {
    console.error(`HOST and PORT: cannot listen on ${host}:${port} (${error.message}).`);
    process.exit(1);
  });
  server.listen(port, host, () => {
    const { port: bound } = server.address() as AddressInfo;
    const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    log('info', 'listening', {
      address: publicOrigin ?? `http://${shown}:${bound}`,
      port: bound,
      mode: isOffline() ? 'offline' : 'live preview',
    });
  });

  // Pages that need no database are served even while it cannot be opened.
  const purgeAndGoOn = async () => {
    try {
      log('info', 'purged', { assessments: await purge(now()) });
    } catch (error) {
      log('error', 'cannot purge', databaseErrorFields(error));
    }
    setTimeout(() => void purgeAndGoOn(), PURGE_EVERY_MS).unref();
  };
  void purgeAndGoOn();

  const stop = () => {
    if (stopping) return;
    stopping = true;
    log('info', 'stopping');
    setTimeout(() => {
      server.close(() => void closeDatabase().then(() => process.exit(0)));
      server.closeIdleConnections();
    }, DRAIN_MS);
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
