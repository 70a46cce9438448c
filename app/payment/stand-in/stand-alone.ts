import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startDelivery } from './delivery';
import { type Gate, interfaceListener } from './listener';
import { memoryStore } from './memory-store';
import { servePage } from './own-page';
import { StandIn } from './stand-in';
import type { StandInStore } from './store';

interface StandAloneOptions {
  clock: () => Date;
  /** A port that is free; 0: the system chooses. */
  port?: number;
  store?: StandInStore;
  secretKey?: string;
  webhookSecret?: string;
  /** Where events are sent by itself; undefined: nowhere. */
  webhook?: string | undefined;
  gate?: Gate;
}

export interface StandAlone {
  standIn: StandIn;
  /** For `STRIPE_API_BASE`. */
  address: string;
  stop: () => Promise<void>;
}

const secret = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;

/** Runs the stand-in by itself on a loopback port: its interface, and a page for each session. */
export async function startStandAlone({
  clock,
  port = 0,
  store = memoryStore(),
  secretKey = secret('sk_test'),
  webhookSecret = secret('whsec'),
  webhook,
  gate,
}: StandAloneOptions): Promise<StandAlone> {
  let address = '';
  const standIn = new StandIn({
    store,
    clock,
    secretKey,
    webhookSecret,
    pageOf: (id) => `${address}/checkout/${id}`,
    isDelivered: webhook !== undefined,
  });
  const callInterface = interfaceListener(standIn, console.error, gate);
  const server = createServer((incoming, outgoing) => {
    const [, id] = /^\/checkout\/([\w-]+)$/.exec(incoming.url ?? '') ?? [];
    if (id === undefined) return callInterface(incoming, outgoing);
    servePage(standIn, id, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stopDelivery =
    webhook === undefined ? undefined : startDelivery(standIn, webhook, console.error);
  return {
    standIn,
    address,
    stop: async () => {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await Promise.all([closed, stopDelivery?.()]);
    },
  };
}
