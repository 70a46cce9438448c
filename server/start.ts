/** Starts the server: configuration, listening, maintenance, graceful shutdown. */
import { createServer } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { resolve } from 'node:path';

import * as build from 'virtual:remix/server-build';

import { closeDatabase, queryDatabase } from '~/database.server';
import { placeOf } from '~db/open-store.server';
import { ConfigurationError, env, setListeningPort, siteOrigin } from '~/env.server';
import { log } from '~/log.server';
import { isOffline } from '~/mode.server';
import { isOutboxShown } from '~/mail/shown.server';
import { isDemonstrated } from '~/payment/demonstration.server';
import { dataKeys } from '~/sealing/data-keys.server';
import { checkConfiguration } from '~/settings/settings.server';
import { version } from '../package.json' with { type: 'json' };
import { trustedProxies } from './client-address';
import { CONNECTION_OPTIONS, superviseConnections } from './connections';
import { startMaintenance } from '../operations/maintenance';
import { startOutbox } from '../operations/outbox-loop';
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
  if (!isOffline()) await haveDataKeys();
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
  let stopOutbox: (() => Promise<void>) | undefined;
  let stopStandIn: Promise<() => Promise<void>> | undefined;
  server.listen(port, host, () => {
    const { port: boundPort } = server.address() as AddressInfo;
    setListeningPort(boundPort);
    // Not before: the links of its mails have this port.
    if (!isOffline()) stopOutbox = startOutbox();
    const isEverywhere = host === '0.0.0.0' || host === '::';
    if (isDemonstrated()) stopStandIn = standIn(isEverywhere ? '127.0.0.1' : host, boundPort);
    const displayHost = isEverywhere ? 'localhost' : host;
    log('info', 'listening', {
      address: publicOrigin ?? `http://${displayHost}:${boundPort}`,
      port: boundPort,
      mode: isOffline() ? 'offline' : 'live',
    });
    if (isOutboxShown()) log('info', 'mail is shown', { address: `${siteOrigin()}/outbox` });
  });

  startMaintenance();

  const closeAll = async (outboxStopped: Promise<void> | undefined) => {
    await outboxStopped;
    await (
      await stopStandIn
    )?.();
    await closeDatabase();
    process.exit(0);
  };
  const shutDown = () => {
    if (draining) return;
    draining = true;
    log('info', 'stopping');
    const outboxStopped = stopOutbox?.();
    setTimeout(() => {
      server.close(() => void closeAll(outboxStopped));
      server.closeIdleConnections();
    }, DRAIN_MS);
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
    // A database that does not answer must not keep it.
    setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS + DRAIN_MS);
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
}

/**
 * A site that cannot keep its keys must not take anything to be sealed, and one that has lost them must
 * not make new ones: the database is opened first, and refused if it needs others.
 */
async function haveDataKeys(): Promise<void> {
  try {
    await queryDatabase(() => Promise.resolve());
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    // What else is wrong with it is logged, and does not stop the start.
  }
  dataKeys();
}

/** The payment provider's stand-in, where there is no other; payments wait for nothing else. */
async function standIn(host: string, port: number): Promise<() => Promise<void>> {
  const { startBuiltIn } = await import('~/payment/stand-in/built-in.server');
  return startBuiltIn(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`);
}
