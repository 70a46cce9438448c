import { isDeepStrictEqual } from 'node:util';

import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

import * as initial from '../migrations/2026-11-29-initial';
import { isMissingTable } from './errors.server';
import type { Database } from './schema';
import type { Store } from './store.server';

/** All migrations by file name; never change one that has landed (`tests/db/releases.test.ts`). */
export const MIGRATIONS: Record<string, Migration> = { '2026-11-29-initial': initial };

export class NewerVersionError extends Error {
  override name = 'NewerVersionError';
  constructor(place: string, migration: string) {
    super(`${place} is of a newer version of this program, which made ${migration}`);
  }
}

/** @throws {NewerVersionError} naming the first of a database's migrations that is not known here */
export function refuseNewer(place: string, migrations: readonly string[]): void {
  const unknown = migrations.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) throw new NewerVersionError(place, unknown);
}

type Migratable = Pick<Store, 'db' | 'place' | 'exclusively' | 'completeSchema'>;

/**
 * In one transaction: with several processes, one migrates and the others wait, and a kill leaves the
 * old schema.
 *
 * @returns the names of the migrations that ran @throws {NewerVersionError} if a newer version of this
 * program has migrated the database
 */
export async function migrate(store: Migratable): Promise<string[]> {
  const names = await executedMigrations(store.db);
  if (isDeepStrictEqual(names, Object.keys(MIGRATIONS).sort())) return [];
  return store.exclusively(async (db) => {
    // Another process may have migrated meanwhile.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    const isMigrated = tables.some(({ name }) => name === 'kysely_migration');
    refuseNewer(store.place, isMigrated ? await executedMigrations(db) : []);
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
    });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    await store.completeSchema(db);
    return results.map(({ migrationName }) => migrationName);
  });
}

/** Not in a transaction: where none has run, it fails. */
export async function executedMigrations(db: Database): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    // Not in the order of the database, which may follow a language.
    return rows.map(({ name }) => name).sort();
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}
