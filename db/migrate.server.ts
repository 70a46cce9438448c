import { Kysely, SqliteDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

import * as eligibility from '../migrations/2026-11-21-eligibility';
import * as facts from '../migrations/2026-11-21-facts';
import * as guidance from '../migrations/2026-11-21-guidance';
import { inImmediateTransaction, type SqliteFile } from './connection.server';

/** All migrations by file name; never change one that has been released. */
export const MIGRATIONS: Record<string, Migration> = {
  '2026-11-21-eligibility': eligibility,
  '2026-11-21-facts': facts,
  '2026-11-21-guidance': guidance,
};

/**
 * Migrates the schema to the latest version and returns the names of the migrations that ran.
 * Kysely neither locks nor wraps SQLite migrations in a transaction, so all of them run in one
 * immediate transaction: with several processes, one migrates and the others wait, and a killed
 * process leaves the old schema.
 *
 * @throws if a migration fails, or if a newer version of this program has migrated the file
 */
export async function migrate(sqlite: SqliteFile): Promise<string[]> {
  if (isUpToDate(sqlite)) return [];
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }),
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  });
  return inImmediateTransaction(sqlite, async () => {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    return results.map(({ migrationName }) => migrationName);
  });
}

/** Whether exactly the known migrations have run; read without a lock. */
function isUpToDate(sqlite: SqliteFile): boolean {
  const migrated = sqlite
    .prepare("select count(*) from sqlite_master where name = 'kysely_migration'")
    .pluck()
    .get();
  if (migrated === 0) return false;
  const names = sqlite.prepare('select name from kysely_migration order by name').pluck().all();
  return JSON.stringify(names) === JSON.stringify(Object.keys(MIGRATIONS).sort());
}
