import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe } from 'vitest';

import { PostgresStore } from '~db/postgres/postgres-store.server';
import { SqliteStore } from '~db/sqlite/sqlite-store.server';
import type { DatabaseAddress, Store } from '~db/store.server';
import { type PostgresServer, startPostgres } from '../postgres';
import { temporaryFolder } from '../production-server';

interface Databases {
  /** The address of a database that nobody has used; it is removed after the test. */
  make: () => Promise<DatabaseAddress>;
  /** One that is open, and has no tables yet. */
  open: () => Promise<Store>;
}

/** Makes the same tests with databases of either engine. */
export function describeEngines(what: string, tests: (databases: Databases) => void): void {
  describe(`${what}, with SQLite`, () => {
    const folders: string[] = [];
    afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
    tests(
      withStores(() => {
        const folder = temporaryFolder();
        folders.push(folder);
        return Promise.resolve({ engine: 'sqlite', file: join(folder, 'esta.db') });
      }),
    );
  });

  describe(`${what}, with PostgreSQL`, () => {
    let server: PostgresServer;
    // The first time a cluster is made.
    beforeAll(async () => void (server = await startPostgres()), 60_000);
    afterAll(() => server.remove());
    tests(withStores(async () => ({ engine: 'postgres', url: await server.createDatabase() })));
  });
}

function withStores(make: () => Promise<DatabaseAddress>): Databases {
  const stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });
  return {
    make,
    async open() {
      const address = await make();
      const store =
        address.engine === 'sqlite'
          ? await SqliteStore.open(address.file, { create: true })
          : new PostgresStore(address.url, address.url);
      stores.push(store);
      return store;
    },
  };
}

/** What a process with this database is given in its environment. */
export const variablesOf = (address: DatabaseAddress): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  ...(address.engine === 'sqlite'
    ? { DATABASE_URL: `file:${address.file}` }
    : { DATABASE_URL: address.url, SESSION_SECRET: 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X' }),
});
