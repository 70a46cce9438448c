import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rowsIn } from '~db/queries/rows.server';
import {
  listDueStandInObjects,
  listStandInObjects,
  type StandInRow,
} from '~db/queries/stand-in-objects.server';
import type { Database } from '~db/schema';
import { startDelivery } from '../../packages/stripe-stand-in/delivery';
import type { Kind, Kinds } from '../../packages/stripe-stand-in/objects';
import { StandIn } from '../../packages/stripe-stand-in/stand-in';
import {
  type Due,
  type Objects,
  VersionConflict,
  type StandInStore,
  type Stored,
} from '../../packages/stripe-stand-in/store';
import { later, now } from '../clock.server';
import { perApp } from '../current-app.server';
import { databaseErrorFields, queryDatabase, writeDatabase } from '../database.server';
import { siteOrigin } from '../env.server';
import { keysFor } from '../http/secret.server';
import { log } from '../log.server';
import { interfaceListener, successUrl } from '../../packages/stripe-stand-in/server';

const own = perApp((): { running?: ReturnType<typeof listen> | undefined } => ({}));

/** Started when it is first needed; whoever shares the database and the keys has the same. */
export const builtIn = () => (own().running ??= listen());

async function listen() {
  const [secretKey] = keysFor('stripe stand-in key');
  const [webhookSecret] = keysFor('stripe stand-in webhook');
  const standIn = new StandIn({
    store: tableStore,
    clock: now,
    secretKey: `sk_test_${secretKey}`,
    webhookSecret: `whsec_${webhookSecret}`,
    pageOf: (id) => `${siteOrigin()}/demo/checkout/${id}`,
  });
  const server = createServer(interfaceListener(standIn, report('the payment stand-in fails')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
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

/** Delivers its events to the site itself. @param site where this process listens @returns stops it */
export async function startBuiltIn(site: string): Promise<() => Promise<void>> {
  const { standIn, stop } = await builtIn();
  const stopDelivery = startDelivery(
    standIn,
    `${site}/webhooks/stripe`,
    report('no payment events can be delivered'),
    later,
  );
  return async () => {
    await stopDelivery();
    await stop();
  };
}

const report = (event: string) => (error: unknown) =>
  log('error', event, databaseErrorFields(error));

/** Remembers in the site's database, so that a restart and a second server find it. */
export const tableStore: StandInStore = {
  change: (work) => writeDatabase(async (db) => await work(objectsIn(db))),
  due: (now) =>
    queryDatabase(async (db) =>
      (await listDueStandInObjects(db, now)).map((row) => fromRow(row) as Due),
    ),
};

const objectsIn = (db: Database): Objects => ({
  find: async (kind, id) => {
    const row = await rowsIn(db).find('stand_in_objects', { kind, id });
    return row && fromRow(row);
  },
  list: async (kind) => (await listStandInObjects(db, kind)).map((row) => fromRow(row)),
  add: async (one) => {
    const row = { ...one, data: JSON.stringify(one.data) };
    if (!(await rowsIn(db).insertNew('stand_in_objects', row))) throw new VersionConflict();
  },
  replace: async (one, { data = one.data, due_at = one.due_at }) => {
    const changes = { data: JSON.stringify(data), due_at };
    if (!(await rowsIn(db).replace('stand_in_objects', one, changes))) throw new VersionConflict();
  },
});

const fromRow = <K extends Kind>({ kind, data, ...row }: StandInRow): Stored<K> => ({
  ...row,
  kind: kind as K,
  data: JSON.parse(data) as Kinds[K],
});

/** Leads to this site by its path, as Stripe would replace it. @throws {Response} 404 */
export async function demoPage(id = '') {
  const { standIn } = await builtIn();
  const session = await standIn.find(id);
  if (!session) throw new Response(null, { status: 404 });
  const { object } = session;
  const origin = siteOrigin();
  const local = (address: string) =>
    address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return {
    ...session,
    success: local(successUrl(object)),
    cancel: local(object.cancel_url ?? '/'),
    tryCard: (outcome: 'paid' | 'declined') => standIn.tryCard(id, outcome),
  };
}
