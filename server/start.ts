import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as build from 'virtual:remix/server-build';

import { createApp } from '~/app.server';
import { setAppOfProcess } from '~/current-app.server';
import { ConfigurationError, env, siteOrigin } from '~/env.server';
import { log } from '~/log.server';
import { isOutboxShown } from '~/mail/shown.server';
import { isOffline } from '~/mode.server';
import { serveMetrics } from '../operations/metrics';
import { CONNECTION_OPTIONS, superviseConnections } from './connections';

/** After SIGTERM, new connections are accepted for this long; /readyz responds with 503. */
const DRAIN_MS = 1000;
const SHUTDOWN_TIMEOUT_MS = 5000;

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
  const site = await createApp({ env: process.env, build, clientFolder });
  // Also of what comes of no request, such as a connection that is refused.
  setAppOfProcess(site.app);
  const { host, port, metricsPort, publicOrigin } = env();
  const server = createServer(CONNECTION_OPTIONS, site.listener);
  superviseConnections(server, site.isTrustedProxy);
  if (metricsPort !== undefined) await serveMetrics(metricsPort, host);

  server.on('error', (error) => {
    console.error(`HOST and PORT: cannot listen on ${host}:${port} (${error.message}).`);
    process.exit(1);
  });
  server.listen(port, host, () => {
    const { port: boundPort } = server.address() as AddressInfo;
    const isEverywhere = host === '0.0.0.0' || host === '::';
    site.begin(isEverywhere ? '127.0.0.1' : host, boundPort);
    const displayHost = isEverywhere ? 'localhost' : host;
    log('info', 'listening', {
      address: publicOrigin ?? `http://${displayHost}:${boundPort}`,
      port: boundPort,
      mode: isOffline() ? 'offline' : 'live',
    });
    if (isOutboxShown()) log('info', 'mail is shown', { address: `${siteOrigin()}/outbox` });
  });

  let isStopping = false;
  const shutDown = () => {
    if (isStopping) return;
    isStopping = true;
    log('info', 'stopping');
    site.drain();
    setTimeout(() => {
      server.close(() => void site.close().then(() => process.exit(0)));
      server.closeIdleConnections();
    }, DRAIN_MS);
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
    // A database that does not answer must not keep it.
    setTimeout(() => process.exit(0), SHUTDOWN_TIMEOUT_MS + DRAIN_MS);
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
}
