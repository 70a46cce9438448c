import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';

import { setAppOfProcess } from '~/current-app.server';
import { openMigrated } from '~db/open-store.server';
import type { DatabaseAddress } from '~db/store.server';
import { becomeApp, LIVE } from '../apps';
import { type PostgresServer, sharedPostgres } from '../postgres';
import { putCopy, temporaryFolder } from '../production-server';
import { LONG } from '../rounds';
import { freshStore } from './live-store';

interface Databases {
  /** The address of a database that nobody has used; it is removed after the tests. */
  make: () => Promise<DatabaseAddress>;
  makeMigrated: () => Promise<DatabaseAddress>;
}

const migrate = async (address: DatabaseAddress) => (await openMigrated(address)).close();

/** Makes the same tests with databases of either engine. */
export function describeDatabases(what: string, tests: (databases: Databases) => void): void {
  describeSqlite(what, tests);
  describePostgres(what, tests);
}

/** What is tested with a database that each test finds without a row, on a site that takes orders. */
type Tests = (store: ReturnType<typeof freshStore>, databases: Databases) => void;
const withStore = (tests: Tests) => (databases: Databases) => {
  beforeAll(() => void becomeApp(LIVE));
  afterAll(() => setAppOfProcess(undefined));
  tests(freshStore(databases), databases);
};

/** Makes the same tests with either engine: where it is about engines, races or money. */
export const describeEngines = (what: string, tests: Tests): void =>
  describeDatabases(what, withStore(tests));

/** The same for what is about none of these: with PostgreSQL in the long run alone. */
export const describeStore = (what: string, tests: Tests): void =>
  (LONG ? describeDatabases : describeSqlite)(what, withStore(tests));

function describeSqlite(what: string, tests: (databases: Databases) => void): void {
  describe(`${what}, with SQLite`, () => {
    const folders: string[] = [];
    afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
    const make = () => {
      const folder = temporaryFolder();
      folders.push(folder);
      return { engine: 'sqlite', file: join(folder, 'esta.db') } as const;
    };
    tests({
      make: () => Promise.resolve(make()),
      async makeMigrated() {
        const address = make();
        await putCopy('migrated.db', address.file, (file) => migrate({ engine: 'sqlite', file }));
        return address;
      },
    });
  });
}

function describePostgres(what: string, tests: (databases: Databases) => void): void {
  describe(`${what}, with PostgreSQL`, () => {
    const made: string[] = [];
    let server: PostgresServer;
    // The first time a cluster is made.
    beforeAll(async () => void (server = await sharedPostgres()), 60_000);
    afterAll(() => server.dropDatabases(made));
    const make = async (fill?: (url: string) => Promise<void>) => {
      const url = await server.createDatabase(fill);
      made.push(url);
      return { engine: 'postgres', url } as const;
    };
    tests({
      make: () => make(),
      makeMigrated: () => make((url) => migrate({ engine: 'postgres', url })),
    });
  });
}

/** What a process with this database is given in its environment. */
export const variablesOf = (address: DatabaseAddress): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  ...(address.engine === 'sqlite'
    ? { DATABASE_URL: `file:${address.file}` }
    : { DATABASE_URL: address.url, SESSION_SECRET: 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X' }),
});
