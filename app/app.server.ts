/** The composition root: what a site is made of, and what it begins and ends. */
import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';

import type { ServerBuild } from '@remix-run/node';

import { locationOf } from '~db/open-store.server';
import { startMaintenance, startOutbox } from '../operations/jobs';
import { version } from '../package.json' with { type: 'json' };
import { trustedProxies } from '../server/client-address';
import type { RateLimits } from '../server/rate-limits';
import { createSite } from '../server/site';
import { type App, inApp, newApp } from './current-app.server';
import { closeDatabase, queryDatabase } from './database.server';
import { ConfigurationError, env, setListeningPort } from './env.server';
import { log } from './log.server';
import { isOffline, isDemonstrated } from '~/mode.server';
import { dataKeys } from './sealing/data-keys.server';
import { checkConfiguration } from './settings/settings.server';

interface AppOptions extends Omit<App, 'states'> {
  build: ServerBuild;
  clientFolder: string;
}

export async function createApp({ build, clientFolder, ...options }: AppOptions) {
  const app = newApp(options);
  const run = <T>(work: () => T): T => inApp(app, work);
  return run(async () => {
    checkConfiguration();
    const { database, drill, siteConfig, trustProxy } = env();
    log('info', 'starting', {
      version,
      node: process.version,
      database: database.engine === 'sqlite' ? resolve(database.file) : locationOf(database),
      settings: siteConfig ? resolve(siteConfig) : 'the defaults',
    });
    if (drill) log('warn', 'this is a drill: no mail, no payment, no jobs');
    if (!isOffline()) await haveDataKeys();
    const isTrustedProxy = trustedProxies(trustProxy);
    let isDraining = false;
    const site = createSite({ build, clientFolder, isTrustedProxy, isDraining: () => isDraining });
    const loops: (() => unknown)[] = [];
    const ended: unknown[] = [];
    let stopStandIn: (() => Promise<void>) | undefined;
    const drain = () => {
      isDraining = true;
      ended.push(...loops.splice(0).map((stop) => run(stop)));
    };
    return {
      app,
      run,
      isTrustedProxy,
      answer: (...exchange: Parameters<typeof site.answer>) => run(() => site.answer(...exchange)),
      listener: (...exchange: Parameters<typeof site.listener>) =>
        run(() => site.listener(...exchange)),
      /** Begins what a site does by itself, once it can be reached: links and events lead to this port. */
      begin: (host: string, port: number) =>
        run(() => {
          setListeningPort(port);
          if (drill) return;
          if (!isOffline()) loops.push(startOutbox());
          if (isDemonstrated()) stopStandIn = standIn(host, port);
          loops.push(startMaintenance());
          if (database.engine === 'postgres') loops.push(shareLimits(site.limits, database.url));
        }),
      /** Begins nothing more by itself, and says so where it is asked whether it is ready. */
      drain,
      close: async () => {
        drain();
        await Promise.all(ended);
        await stopStandIn?.();
        await run(closeDatabase);
      },
    };
  });
}

/** The database is opened first: a site that has lost its keys must not make new ones. */
async function haveDataKeys(): Promise<void> {
  try {
    await queryDatabase(() => Promise.resolve());
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    // What else is wrong with it is logged, and does not stop the start.
  }
  dataKeys();
}

/** Tells the other sites what clients send here, and counts what they tell. @returns ends it */
function shareLimits(limits: RateLimits, url: string): () => Promise<void> {
  const opened = import('~db/postgres/channel.server').then(({ openChannel }) => {
    const channel = openChannel(url, (taken) => limits.hear(taken));
    limits.tell = channel.tell;
    return channel;
  });
  return async () => (await opened).close();
}

/** Starts the payment provider's stand-in, where there is no other; payments wait for nothing else. */
function standIn(host: string, port: number): () => Promise<void> {
  const started = import('./payment/stand-in.server').then(({ startBuiltIn }) =>
    startBuiltIn(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`),
  );
  return async () => (await started)();
}
