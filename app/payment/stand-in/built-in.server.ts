import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { now } from '~/clock.server';
import { perApp } from '~/current-app.server';
import { databaseErrorFields } from '~/database.server';
import { siteOrigin } from '~/env.server';
import { keysFor } from '~/http/secret.server';
import { log } from '~/log.server';
import { startDelivery } from './delivery';
import { interfaceListener } from './listener';
import { StandIn } from './stand-in';
import { tableStore } from './table-store.server';

/** The stand-in of this app, and where its interface is. */
interface BuiltIn {
  standIn: StandIn;
  /** Such as `http://127.0.0.1:40123`. */
  address: string;
  stop: () => Promise<void>;
}

const own = perApp((): { running?: Promise<BuiltIn> | undefined } => ({}));

/**
 * The stand-in that is built into the site: its interface on a loopback port, its pages at
 * `/demo/checkout/{id}`. Started when it is first needed; whoever shares the database and the keys has
 * the same.
 */
export function builtIn(): Promise<BuiltIn> {
  return (own().running ??= listen());
}

async function listen(): Promise<BuiltIn> {
  const [secretKey] = keysFor('stripe stand-in key');
  const [webhookSecret] = keysFor('stripe stand-in webhook');
  const standIn = new StandIn({
    store: tableStore,
    clock: now,
    secretKey: `sk_test_${secretKey}`,
    webhookSecret: `whsec_${webhookSecret}`,
    pageOf: (id) => `${siteOrigin()}/demo/checkout/${id}`,
    isDelivered: true,
  });
  const server = createServer(interfaceListener(standIn, report('the payment stand-in fails')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A command that has needed it ends all the same.
  server.unref();
  return {
    standIn,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      own().running = undefined;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Delivers its events to the site itself, until it is stopped.
 *
 * @param site where this process listens, such as `http://127.0.0.1:3000`
 * @returns stops it and the interface
 */
export async function startBuiltIn(site: string): Promise<() => Promise<void>> {
  const { standIn, stop } = await builtIn();
  const stopDelivery = startDelivery(
    standIn,
    `${site}/webhooks/stripe`,
    report('no payment events can be delivered'),
  );
  return async () => {
    await stopDelivery();
    await stop();
  };
}

const report = (event: string) => (error: unknown) =>
  log('error', event, databaseErrorFields(error));
