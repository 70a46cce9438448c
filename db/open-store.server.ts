import { migrate } from './migrate.server';
import { seedShipped } from './seed.server';
import { SqliteStore } from './sqlite/sqlite-store.server';
import type { DatabaseAddress, OpenOptions, Store } from './store.server';

/** Migrated, with the content that is shipped, as far as the operator has not changed it. */
export async function openStore(address: DatabaseAddress, options: OpenOptions = {}) {
  const store = await openMigrated(address, options);
  return prepared(store, async () => void (store.content = await seedShipped(store)));
}

export async function openMigrated(
  address: DatabaseAddress,
  { create = true, ...options }: OpenOptions = {},
): Promise<Store> {
  const store = await openEngine(address, { ...options, create });
  return prepared(store, async () => void (store.migrations = await migrate(store)));
}

async function prepared(store: Store, work: () => Promise<void>): Promise<Store> {
  try {
    await work();
    return store;
  } catch (error) {
    store.abandon();
    throw error;
  }
}

async function openEngine(address: DatabaseAddress, options: OpenOptions): Promise<Store> {
  if (address.engine === 'sqlite') return SqliteStore.open(address.file, options);
  const { PostgresStore } = await import('./postgres/postgres-store.server');
  return new PostgresStore(address.url, locationOf(address));
}

/** Where a database is, as it was set, for an operator to read: an address has no password. */
export function locationOf(address: DatabaseAddress): string {
  if (address.engine === 'sqlite') return address.file;
  const parts = new URL(address.url);
  parts.password = '';
  parts.search = '';
  return parts.href;
}
