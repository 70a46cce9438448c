/** What the workers of a run share: one PostgreSQL, and a folder of databases that are made once and copied. */
import { rmSync } from 'node:fs';

import { copiedDatabase, postgresBinaries, startPostgres } from './postgres';
import { temporaryFolder } from './production-server';

/** @returns what ends it */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  process.env['TEST_COPIES'] = folder;
  // Where there is none, the tests that want one say so.
  const hasPostgres = (postgresBinaries() ?? process.env['PG_TEST_URL']) !== undefined;
  const postgres = hasPostgres ? await startPostgres() : undefined;
  if (postgres) process.env['TEST_POSTGRES'] = postgres.url;
  return async () => {
    await postgres?.dropDatabases([copiedDatabase()]);
    await postgres?.remove();
    rmSync(folder, { recursive: true, force: true });
  };
}
