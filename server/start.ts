/** Starts the server: configuration, listening, maintenance, graceful shutdown. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

import * as build from 'virtual:remix/server-build';

import { closeDatabase } from '~/database.server';
import { placeOf } from '~db/open-store.server';
import { ConfigurationError, env } from '~/env.server';
import { log } from '~/log.server';
import { isOffline } from '~/mode.server';
import { checkConfiguration } from '~/settings/settings.server';
import { version } from '../package.json' with { type: 'json' };
import { trustedProxies } from './client-address';
import { CONNECTION_OPTIONS, superviseConnections } from './connections';
import { startMaintenance } from '../operations/maintenance';
import { serveMetrics } from '../operations/metrics';
import { createSite } from './site';

/**
 * Draining: after SIGTERM, new connections are accepted for this long; /readyz responds with 503.
 */
const DRAIN_MS = 1000;
/** After SIGTERM, running requests may take this long. */
const SHUTDOWN_TIMEOUT_MS = 5000;

/**
 * Starts the production server.
 *
 * @param clientFolder the folder of the client build
 */
export async function start(clientFolder: string): Promise<void> {
  try {
    await listen(clientFolder);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

async function listen(clientFolder: string): Promise<void> {
  checkConfiguration();
  const { database, host, port, metricsPort, publicOrigin, siteConfig, trustProxy } = env();
  log('info', 'starting', {
    version,
    node: process.version,
    database: database.engine === 'sqlite' ? resolve(database.file) : placeOf(database),
    settings: siteConfig ? resolve(siteConfig) : 'the defaults',
  });
  const isTrustedProxy = trustedProxies(trustProxy);
  let draining = false;
  const server = createServer(
    CONNECTION_OPTIONS,
    createSite({ build, clientFolder, isTrustedProxy, isDraining: () => draining }),
  );
  superviseConnections(server, isTrustedProxy);
  if (metricsPort !== undefined) await serveMetrics(metricsPort, host);

  server.on('error', (error) => {
    console.error(`HOST and PORT: cannot listen on ${host}:${port} (${error.message}).`);
    process.exit(1);
  });
  server.listen(port, host, () => {
    const { port: boundPort } = server.address() as AddressInfo;
    const displayHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    log('info', 'listening', {
      address: publicOrigin ?? `http://${displayHost}:${boundPort}`,
      port: boundPort,
      mode: isOffline() ? 'offline' : 'live preview',
    });
  });

  startMaintenance();

  const shutDown = () => {
    if (draining) return;
    draining = true;
    log('info', 'stopping');
    setTimeout(() => {
      server.close(() => void closeDatabase().then(() => process.exit(0)));
      server.closeIdleConnections();
    }, DRAIN_MS);
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
    // A database that does not answer must not keep it.
    setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS + DRAIN_MS);
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
}
